package io.porteiro.server.persistence.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The real file system. */
final class SystemDisk implements Disk {
  private record ChannelFile(FileChannel channel) implements DiskFile {
    @Override
    public int write(ByteBuffer bytes) throws IOException {
      return channel.write(bytes);
    }

    @Override
    public void sync() throws IOException {
      channel.force(false); // the size goes with the data
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Override
  public DiskFile create(Path path) throws IOException {
    return new ChannelFile(
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING));
  }

  @Override
  public DiskFile append(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
    channel.position(channel.size());
    return new ChannelFile(channel);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(Path path) throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public void createDirectory(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      Files.createDirectory(path);
    }
  }

  @Override
  public void syncDirectory(Path path) throws IOException {
    try (FileChannel directory = FileChannel.open(path)) {
      directory.force(true);
    }
  }
}
