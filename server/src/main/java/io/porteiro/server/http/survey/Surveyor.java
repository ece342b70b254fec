package io.porteiro.server.http.survey;

import io.porteiro.server.store.Keyspace;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions about the filters from walks over all keys, on a thread of its own.
 *
 * <p>An answer is kept for a second, or for twenty times as long as the walk took: however often
 * someone asks the same, walking takes at most a twentieth of one core. Where a walk takes long,
 * the answer before it is given again. Walks for different questions come one after the other, and
 * only the latest few questions are kept.
 */
public final class Surveyor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Surveyor.class);
  private static final long MIN_FRESH_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long REST_FACTOR = 20;
  private static final int MAX_QUESTIONS = 4;

  private final Keyspace keyspace;
  private final InstantSource clock;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_QUESTIONS),
          Thread.ofPlatform().daemon().name("survey").factory());

  /** The least recently asked first. */
  private final LinkedHashMap<Question, Known> known =
      new LinkedHashMap<>(MAX_QUESTIONS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Question, Known> eldest) {
          return size() > MAX_QUESTIONS;
        }
      };

  /** The last answer to a question, and the walk for the next one. */
  private static final class Known {
    private volatile Survey survey = Survey.NONE;
    private volatile long endedNanos;
    private @Nullable CompletableFuture<Survey> walk;

    boolean isFresh() {
      long freshNanos = Math.max(MIN_FRESH_NANOS, REST_FACTOR * survey.nanos());
      return survey.complete() && System.nanoTime() - endedNanos < freshNanos;
    }
  }

  public Surveyor(Keyspace keyspace, InstantSource clock) {
    this.keyspace = keyspace;
    this.clock = clock;
  }

  /**
   * The answer to a question, at most a little old.
   *
   * @param patience how long to wait for a walk; after that the last answer is given, which is
   *     {@link Survey#complete incomplete} if there was none
   */
  public Survey ask(Question question, Duration patience) {
    Known about = about(question);
    if (about.isFresh()) {
      return about.survey;
    }
    CompletableFuture<Survey> walk = walk(about, question);
    try {
      return walk == null ? about.survey : walk.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      log.warn("A walk over all keys failed", e.getCause());
    } catch (TimeoutException e) {
      // as said
    }
    return about.survey;
  }

  private synchronized Known about(Question question) {
    return known.computeIfAbsent(question, absent -> new Known());
  }

  /** The walk under way, or a new one; null if too many wait. */
  private synchronized @Nullable CompletableFuture<Survey> walk(Known about, Question question) {
    CompletableFuture<Survey> current = about.walk;
    if (current != null && !current.isDone()) {
      return current;
    }
    CompletableFuture<Survey> next = new CompletableFuture<>();
    try {
      thread.execute(() -> walk(about, question, next));
    } catch (RejectedExecutionException e) {
      return null;
    }
    about.walk = next;
    return next;
  }

  private void walk(Known about, Question question, CompletableFuture<Survey> done) {
    try {
      Survey survey = new KeyspaceWalk(keyspace, clock, question).run();
      about.survey = survey;
      about.endedNanos = System.nanoTime();
      done.complete(survey);
    } catch (InterruptedException | RuntimeException e) {
      done.completeExceptionally(e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
