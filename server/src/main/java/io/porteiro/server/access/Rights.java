package io.porteiro.server.access;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * All that the rules of a user say: how to log in, and what is permitted then. Immutable; a change
 * of rules makes new rights.
 */
public final class Rights {
  private final boolean enabled;
  private final boolean nopass;
  private final boolean sanitized;
  private final Set<PasswordHash> passwords;
  private final List<Selector> selectors;
  private final boolean unrestricted;

  Rights(
      boolean enabled,
      boolean nopass,
      boolean sanitized,
      Collection<PasswordHash> passwords,
      List<Selector> selectors) {
    this.enabled = enabled;
    this.nopass = nopass;
    this.sanitized = sanitized;
    this.passwords = new LinkedHashSet<>(passwords);
    this.selectors = List.copyOf(selectors);
    this.unrestricted = selectors.getFirst().isUnrestricted();
  }

  /** Whether everything is permitted: then nothing more need be looked at. */
  public boolean isUnrestricted() {
    return unrestricted;
  }

  /** What is permitted; the first is what the rules outside of parentheses say. */
  public List<Selector> selectors() {
    return selectors;
  }

  /** Whether one may log in. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Whether any password will do. */
  public boolean isNopass() {
    return nopass;
  }

  /** Whether whoever connects may do without logging in, if these are the default user's. */
  public boolean isOpen() {
    return enabled && nopass;
  }

  /** Whether RESTORE is to check payloads of this user in depth. */
  boolean isSanitized() {
    return sanitized;
  }

  Collection<PasswordHash> passwords() {
    return passwords;
  }

  /** Whether one may log in with this password. All hashes are compared, whichever is right. */
  boolean admits(PasswordHash password) {
    boolean known = false;
    for (PasswordHash one : passwords) {
      known |= one.isSame(password);
    }
    return enabled && (nopass || known);
  }

  /** Whether some selector permits a channel. */
  public boolean permitsChannel(String channel) {
    byte[] bytes = channel.getBytes(StandardCharsets.ISO_8859_1);
    return unrestricted || selectors.stream().anyMatch(one -> one.allowsChannel(bytes));
  }

  /** Whether some selector permits a subscription to a pattern. */
  public boolean permitsChannelPattern(String pattern) {
    return unrestricted || selectors.stream().anyMatch(one -> one.allowsChannelPattern(pattern));
  }

  /** Whether one may subscribe to each channel and pattern that the other rights permit. */
  public boolean hasChannelsOf(Rights other) {
    return other.selectors.stream().allMatch(this::hasChannelsOf);
  }

  private boolean hasChannelsOf(Selector other) {
    return selectors.stream().anyMatch(selector -> selector.hasChannelsOf(other));
  }

  /** The flags that GETUSER lists. */
  public List<String> flags() {
    String state = enabled ? "on" : "off";
    String payloads = sanitized ? "sanitize-payload" : "skip-sanitize-payload";
    return nopass ? List.of(state, "nopass", payloads) : List.of(state, payloads);
  }

  /** The hashes of the passwords, in hexadecimal. */
  public List<String> passwordHashes() {
    return passwords.stream().map(PasswordHash::hex).toList();
  }

  /** The rules that make them anew, in Redis's order. */
  @Override
  public String toString() {
    StringJoiner rules = new StringJoiner(" ");
    flags().forEach(rules::add);
    passwords.forEach(password -> rules.add(password.toString()));
    rules.add(selectors.getFirst().toString());
    selectors.stream().skip(1).forEach(selector -> rules.add("(" + selector + ")"));
    return rules.toString();
  }
}
