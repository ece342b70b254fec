package io.porteiro.server.access;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Rules applied to the rights of a user, one after the other.
 *
 * @see <a href="https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/">Redis
 *     ACL rules</a>
 */
public final class UserRules {
  private final Catalog catalog;
  private final boolean allChannelsByDefault;
  private final Set<PasswordHash> passwords = new LinkedHashSet<>();
  private final List<Selector> others = new ArrayList<>();
  private SelectorRules root;
  private boolean enabled;
  private boolean nopass;
  private boolean sanitized = true;

  /**
   * A new user: off, without password or rights.
   *
   * @param allChannelsByDefault whether new users and selectors may use all channels: {@code
   *     acl-pubsub-default}
   */
  UserRules(Catalog catalog, boolean allChannelsByDefault) {
    this.catalog = catalog;
    this.allChannelsByDefault = allChannelsByDefault;
    this.root = new SelectorRules(catalog, allChannelsByDefault);
  }

  /** A user who is there. */
  UserRules(Catalog catalog, boolean allChannelsByDefault, Rights rights) {
    this(catalog, allChannelsByDefault);
    this.root = new SelectorRules(catalog, rights.selectors().getFirst());
    this.enabled = rights.isEnabled();
    this.nopass = rights.isNopass();
    this.sanitized = rights.isSanitized();
    passwords.addAll(rights.passwords());
    others.addAll(rights.selectors().subList(1, rights.selectors().size()));
  }

  Rights build() {
    List<Selector> selectors = new ArrayList<>();
    selectors.add(root.build());
    selectors.addAll(others);
    return new Rights(enabled, nopass, sanitized, passwords, selectors);
  }

  /**
   * Applies one rule; that of a selector comes whole, with its parentheses. An empty one does
   * nothing.
   *
   * @throws RuleException if it is none; nothing has changed then
   */
  void apply(String rule) throws RuleException {
    switch (rule.toLowerCase(Locale.ROOT)) {
      case "" -> {}
      case "on" -> enabled = true;
      case "off" -> enabled = false;
      case "nopass" -> setPassword(true);
      case "resetpass" -> setPassword(false);
      case "sanitize-payload" -> sanitized = true;
      case "skip-sanitize-payload" -> sanitized = false;
      case "clearselectors" -> others.clear();
      case "reset" -> reset();
      default -> applySigned(rule);
    }
  }

  private void applySigned(String rule) throws RuleException {
    switch (rule.charAt(0)) {
      case '>' -> addPassword(hashOf(rule));
      case '#' -> addPassword(PasswordHash.parse(rule));
      case '<' -> removePassword(rule, hashOf(rule));
      case '!' -> removePassword(rule, PasswordHash.parse(rule));
      case '(' -> others.add(selector(rule));
      default -> root.apply(rule);
    }
  }

  private static PasswordHash hashOf(String rule) {
    return PasswordHash.of(rule.substring(1).getBytes(StandardCharsets.ISO_8859_1));
  }

  private void addPassword(PasswordHash password) {
    passwords.add(password);
    nopass = false;
  }

  private void removePassword(String rule, PasswordHash password) throws RuleException {
    if (!passwords.remove(password)) {
      throw new RuleException(RuleError.NO_SUCH_PASSWORD, rule);
    }
  }

  private void setPassword(boolean none) {
    nopass = none;
    passwords.clear();
  }

  private Selector selector(String rule) throws RuleException {
    if (!rule.endsWith(")")) {
      throw new RuleException(RuleError.SYNTAX, rule);
    }
    SelectorRules selector = new SelectorRules(catalog, allChannelsByDefault);
    for (String word : RuleText.words(rule.substring(1, rule.length() - 1))) {
      applyWithin(selector, word, rule);
    }
    return selector.build();
  }

  /** An error tells the whole selector. */
  private static void applyWithin(SelectorRules selector, String word, String rule)
      throws RuleException {
    try {
      selector.apply(word);
    } catch (RuleException e) {
      throw new RuleException(e.error(), rule);
    }
  }

  private void reset() {
    root = new SelectorRules(catalog, allChannelsByDefault);
    others.clear();
    setPassword(false);
    enabled = false;
    sanitized = true;
  }
}
