package io.porteiro.server.command.bloom;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.structure.bloom.BloomFilter;
import org.jspecify.annotations.Nullable;

/** What BF.INFO tells, in its order: by which word one is asked for, and what it is called. */
enum InfoField {
  CAPACITY("Capacity"),
  SIZE("Size"),
  FILTERS("Number of filters"),
  ITEMS("Number of items inserted"),
  EXPANSION("Expansion rate");

  private final String title;

  InfoField(String title) {
    this.title = title;
  }

  /** The field that argument {@code index} names, in any case; null if there is none. */
  static @Nullable InfoField named(Arguments arguments, int index) {
    for (InfoField field : values()) {
      if (arguments.isWord(index, field.name())) {
        return field;
      }
    }
    return null;
  }

  /** All fields with their titles. */
  static void writeAll(BloomFilter filter, ReplyWriter reply) {
    InfoField[] fields = values();
    reply.map(fields.length);
    for (InfoField field : fields) {
      reply.simpleString(field.title);
      field.writeValue(filter, reply);
    }
  }

  /** This field alone: RESP3 knows its title, RESP2 has an array of the value. */
  void writeAlone(BloomFilter filter, ReplyWriter reply) {
    if (reply.protocol() == 2) {
      reply.array(1);
    } else {
      reply.map(1);
      reply.simpleString(title);
    }
    writeValue(filter, reply);
  }

  private void writeValue(BloomFilter filter, ReplyWriter reply) {
    switch (this) {
      case CAPACITY -> reply.integer(filter.capacity());
      case SIZE -> reply.integer(filter.reportedBytes());
      case FILTERS -> reply.integer(filter.linkCount());
      case ITEMS -> reply.integer(filter.size());
      case EXPANSION -> writeExpansion(filter, reply);
    }
  }

  private static void writeExpansion(BloomFilter filter, ReplyWriter reply) {
    if (filter.isNonScaling()) {
      reply.nullBulk();
    } else {
      reply.integer(filter.expansion());
    }
  }
}
