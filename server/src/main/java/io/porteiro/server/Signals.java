package io.porteiro.server;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handlers of signals, by the JDK's unsupported but stable {@code sun.misc.Signal}: a shutdown hook
 * could not refuse to end when saving fails. Reached by reflection, because the compiler warns of
 * every mention of it.
 */
final class Signals {
  private static final Logger log = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /**
   * Calls the action, on a thread of the JVM's, whenever the signal comes.
   *
   * @param name without SIG
   */
  static void handle(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) -> {
                action.run();
                return null;
              });
      signal
          .getMethod("handle", signal, handlerType)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
    } catch (ReflectiveOperationException e) {
      log.error("SIG{} will end the process without saving", name, e);
    }
  }
}
