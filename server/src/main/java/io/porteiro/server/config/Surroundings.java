package io.porteiro.server.config;

import java.io.InputStream;
import java.util.Map;

/**
 * What a start finds around it, besides its arguments.
 *
 * @param environment the variables; see {@link EnvironmentSettings}
 * @param defaultMaxmemory the {@code maxmemory} of a server that is not told one; 0 is no limit
 */
public record Surroundings(
    InputStream standardInput, Map<String, String> environment, long defaultMaxmemory) {}
