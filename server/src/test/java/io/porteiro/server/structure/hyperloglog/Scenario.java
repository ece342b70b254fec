package io.porteiro.server.structure.hyperloglog;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;

/**
 * A long random series of additions, counts and merges on three keys, whose every state is
 * digested. The digests in {@link FingerprintTest} were taken from Redis 7.0.15 by running the same
 * series against it.
 */
final class Scenario {
  private static final int KEYS = 3;
  private static final int STEPS = 3000;

  /** What is exercised: this implementation, or a server. */
  interface Target {
    void setSparseMaxBytes(long sparseMaxBytes);

    void delete(int key);

    /** The answer of PFADD. */
    long add(int key, String... elements);

    /** The answer of PFCOUNT. */
    long count(int... keys);

    void merge(int destination, int... sources);

    byte[] bytes(int key);
  }

  private final Target target;
  private final Random random;
  private final MessageDigest digest;

  Scenario(Target target, long seed) throws NoSuchAlgorithmException {
    this.target = target;
    this.random = new Random(seed);
    this.digest = MessageDigest.getInstance("SHA-256");
  }

  /** Runs it and returns the digest of all answers and states. */
  String run(long sparseMaxBytes) {
    target.setSparseMaxBytes(sparseMaxBytes);
    for (int key = 0; key < KEYS; key++) {
      target.delete(key);
    }
    for (int step = 0; step < STEPS; step++) {
      step(step);
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
  }

  private void step(int step) {
    int key = random.nextInt(KEYS);
    switch (random.nextInt(100)) {
      case 0, 1 -> merge(key);
      case 2, 3, 4, 5, 6, 7 -> digest(target.count(key));
      case 8, 9, 10 -> digest(target.count(0, 1, 2));
      case 11, 12 -> restart(key, step);
      default -> digest(target.add(key, elements(step)));
    }
    digest.update(target.bytes(key));
  }

  private void merge(int key) {
    target.merge(key, random.nextInt(KEYS), random.nextInt(KEYS));
  }

  /** So that there are young ones at all times, and not only dense ones. */
  private void restart(int key, int step) {
    target.delete(key);
    digest(target.add(key, elements(step)));
  }

  /** Seldom many; of a universe that grows, so that repetitions are common but not all there is. */
  private String[] elements(int step) {
    int most = random.nextInt(8) == 0 ? 400 : 4;
    String[] elements = new String[random.nextInt(most)];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = "e:" + random.nextInt(100 + 30 * step);
    }
    return elements;
  }

  private void digest(long number) {
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }
}
