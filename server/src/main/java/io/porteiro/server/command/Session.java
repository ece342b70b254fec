package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.access.User;
import io.porteiro.server.store.Watch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the server knows of one connection. Changed on its event loop only; what others read (CLIENT
 * LIST) is volatile or a harmless race.
 */
public final class Session {
  /** CLIENT REPLY. */
  public enum ReplyMode {
    ON,
    OFF,
    SKIP_NEXT,
    SKIPPING
  }

  private final long id;
  private final long createdAtMs;
  private final Peer peer;
  private final ReplyWriter reply;
  private final List<Watch> watches = new ArrayList<>(0);

  private volatile int database;
  private volatile boolean authenticated;
  private volatile User user;
  private volatile String name = "";
  private volatile String libraryName = "";
  private volatile String libraryVersion = "";
  private volatile long lastInteractionMs;
  private volatile @Nullable CommandSpec lastCommand;
  private volatile @Nullable Transaction transaction;
  private volatile @Nullable ClientTracking tracking;
  private volatile boolean noEvict;
  private volatile boolean noTouch;
  private volatile boolean subscriber;
  private volatile long subscriptionBytes;
  private volatile boolean monitor;
  private boolean waiting;
  private boolean closing;
  private ReplyMode replyMode = ReplyMode.ON;
  private long journalPosition;
  private long ownPosition;

  /**
   * @param user the default user, who is logged in where no password is needed
   */
  public Session(long id, long createdAtMs, Peer peer, ReplyWriter reply, User user) {
    this.id = id;
    this.createdAtMs = createdAtMs;
    this.lastInteractionMs = createdAtMs;
    this.peer = peer;
    this.reply = reply;
    this.user = user;
    this.authenticated = user.rights().isOpen();
  }

  public long id() {
    return id;
  }

  /** Unix milliseconds. */
  public long createdAtMs() {
    return createdAtMs;
  }

  public Peer peer() {
    return peer;
  }

  public ReplyWriter reply() {
    return reply;
  }

  public int database() {
    return database;
  }

  public void setDatabase(int database) {
    this.database = database;
  }

  public boolean isAuthenticated() {
    return authenticated;
  }

  public void setAuthenticated(boolean authenticated) {
    this.authenticated = authenticated;
    peer.authenticationChanged(authenticated);
  }

  /** Whose rights it has. */
  public User user() {
    return user;
  }

  public void setUser(User user) {
    this.user = user;
  }

  /** As CLIENT SETNAME set it, or empty. */
  public String name() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public String libraryName() {
    return libraryName;
  }

  public void setLibraryName(String libraryName) {
    this.libraryName = libraryName;
  }

  public String libraryVersion() {
    return libraryVersion;
  }

  public void setLibraryVersion(String libraryVersion) {
    this.libraryVersion = libraryVersion;
  }

  /** Unix milliseconds of the last request. */
  public long lastInteractionMs() {
    return lastInteractionMs;
  }

  public void setLastInteractionMs(long lastInteractionMs) {
    this.lastInteractionMs = lastInteractionMs;
  }

  public @Nullable CommandSpec lastCommand() {
    return lastCommand;
  }

  void setLastCommand(CommandSpec lastCommand) {
    this.lastCommand = lastCommand;
  }

  /** What MULTI began, or null. */
  public @Nullable Transaction transaction() {
    return transaction;
  }

  public void setTransaction(@Nullable Transaction transaction) {
    this.transaction = transaction;
  }

  /** How its reads are tracked, or null: by {@link Tracking}. */
  public @Nullable ClientTracking tracking() {
    return tracking;
  }

  /** Who gets its messages about changed keys: a client's id, 0 itself, -1 nobody. */
  public long trackingRedirect() {
    ClientTracking current = tracking;
    return current == null ? -1 : current.options().redirect();
  }

  void setTracking(@Nullable ClientTracking tracking) {
    this.tracking = tracking;
  }

  public boolean isNoEvict() {
    return noEvict;
  }

  public void setNoEvict(boolean noEvict) {
    this.noEvict = noEvict;
  }

  /** Whether its look-ups leave the access time of keys as it is. */
  public boolean isNoTouch() {
    return noTouch;
  }

  public void setNoTouch(boolean noTouch) {
    this.noTouch = noTouch;
  }

  /** Whether it has any subscription: in RESP2 it then may only use the commands of subscribers. */
  public boolean isSubscriber() {
    return subscriber;
  }

  public void setSubscriber(boolean subscriber) {
    this.subscriber = subscriber;
  }

  /** What its subscriptions take, about. */
  public long subscriptionBytes() {
    return subscriptionBytes;
  }

  /** Only to be called by one thread at a time. */
  public void setSubscriptionBytes(long bytes) {
    this.subscriptionBytes = bytes;
  }

  /** Whether MONITOR shows it every command. */
  public boolean isMonitor() {
    return monitor;
  }

  public void setMonitor(boolean monitor) {
    this.monitor = monitor;
  }

  /** The keys it watches. */
  public List<Watch> watches() {
    return watches;
  }

  public ReplyMode replyMode() {
    return replyMode;
  }

  public void setReplyMode(ReplyMode replyMode) {
    this.replyMode = replyMode;
  }

  /** Whether replies are dropped now. */
  public boolean isSilenced() {
    return replyMode == ReplyMode.OFF || replyMode == ReplyMode.SKIPPING;
  }

  /** Whether its last command answers later. */
  public boolean isWaiting() {
    return waiting;
  }

  public void setWaiting(boolean waiting) {
    this.waiting = waiting;
  }

  /** Whether it is about to be closed: nothing more is executed for it. */
  public boolean isClosing() {
    return closing;
  }

  public void setClosing() {
    closing = true;
  }

  /** The journal position that its output must wait for: the highest that it has seen. */
  public long journalPosition() {
    return journalPosition;
  }

  /** The position behind what it changed itself. */
  public long ownPosition() {
    return ownPosition;
  }

  /** Its output tells of what is before this position. */
  public void sawPosition(long position) {
    journalPosition = Math.max(journalPosition, position);
  }

  void changedAt(long position) {
    ownPosition = position;
  }
}
