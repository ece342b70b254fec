package io.porteiro.server.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** All users by their names. Any thread may ask; changes come one at a time. */
public final class Users {
  private final ConcurrentSkipListMap<String, User> users = new ConcurrentSkipListMap<>();
  private final Catalog catalog;
  private final BooleanSupplier allChannelsByDefault;
  private final User defaultUser;

  /**
   * The default user alone, who may do everything without a password.
   *
   * @param allChannelsByDefault whether new users may use all channels, as it is set now
   */
  public Users(Catalog catalog, BooleanSupplier allChannelsByDefault) {
    this.catalog = catalog;
    this.allChannelsByDefault = allChannelsByDefault;
    this.defaultUser = new User(User.DEFAULT, everything());
    users.put(User.DEFAULT, defaultUser);
  }

  private Rights everything() {
    try {
      return applied(newRules(), List.of("on", "nopass", "+@all", "~*", "&*"));
    } catch (RuleException e) {
      throw new IllegalStateException(e);
    }
  }

  private UserRules newRules() {
    return new UserRules(catalog, allChannelsByDefault.getAsBoolean());
  }

  private static Rights applied(UserRules user, List<String> rules) throws RuleException {
    for (String rule : rules) {
      user.apply(rule);
    }
    return user.build();
  }

  public Catalog catalog() {
    return catalog;
  }

  /** The user of connections that have not logged in; always the same object. */
  public User defaultUser() {
    return defaultUser;
  }

  /** Null if there is none. */
  public @Nullable User find(String name) {
    return users.get(name);
  }

  /** In order of their names. */
  public Collection<User> all() {
    return List.copyOf(users.values());
  }

  /**
   * The user who may log in with this password; null if there is none. An unknown name takes as
   * long as a wrong password.
   *
   * @param password as bytes
   */
  public @Nullable User logIn(String name, byte[] password) {
    PasswordHash hash = PasswordHash.of(password);
    User user = users.get(name);
    return user != null && user.admits(hash) ? user : null;
  }

  /**
   * Applies rules to a user, or to a new one; all of them or none.
   *
   * @param rules each selector whole
   */
  public synchronized UserChange set(String name, List<String> rules) throws RuleException {
    User user = users.get(name);
    if (user == null) {
      User created = new User(name, applied(newRules(), rules));
      users.put(name, created);
      return new UserChange(created, null, created.rights());
    }
    Rights before = user.rights();
    user.setRights(
        applied(new UserRules(catalog, allChannelsByDefault.getAsBoolean(), before), rules));
    return new UserChange(user, before, user.rights());
  }

  /**
   * Gives the default user this password alone; with an empty one no password is needed: {@code
   * requirepass}.
   */
  public void setDefaultPassword(String password) {
    try {
      set(User.DEFAULT, List.of("resetpass", password.isEmpty() ? "nopass" : ">" + password));
    } catch (RuleException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Removes a user, but never the default one; null if there was none. */
  public synchronized @Nullable UserChange remove(String name) {
    if (name.equals(User.DEFAULT)) {
      throw new IllegalArgumentException("the default user stays");
    }
    User user = users.remove(name);
    return user == null ? null : removed(user);
  }

  private UserChange removed(User user) {
    Rights before = user.rights();
    user.remove(nothing());
    return new UserChange(user, before, null);
  }

  private Rights nothing() {
    return new UserRules(catalog, false).build();
  }

  /** What rules make of a new user; nothing is changed. */
  Rights rightsOf(List<String> rules) throws RuleException {
    return applied(newRules(), rules);
  }

  /** The rules that a new user, or the default one, has before any is applied. */
  UserRules rulesOfNew() {
    return newRules();
  }

  /**
   * Puts other users in the place of all: those of the same name go on with new rights; a default
   * user who is not among them may do everything.
   */
  synchronized List<UserChange> replaceAll(Map<String, Rights> others) {
    Map<String, Rights> wanted = new TreeMap<>(others);
    wanted.putIfAbsent(User.DEFAULT, everything());
    List<UserChange> changes = new ArrayList<>();
    for (User user : all()) {
      if (!wanted.containsKey(user.name())) {
        users.remove(user.name());
        changes.add(removed(user));
      }
    }
    wanted.forEach((name, rights) -> changes.add(put(name, rights)));
    return changes;
  }

  private UserChange put(String name, Rights rights) {
    User user = users.get(name);
    if (user == null) {
      User created = new User(name, rights);
      users.put(name, created);
      return new UserChange(created, null, rights);
    }
    Rights before = user.rights();
    user.setRights(rights);
    return new UserChange(user, before, rights);
  }
}
