package io.porteiro.server.config;

import java.io.InputStream;
import java.util.Map;

/**
 * What a start finds around it, besides its arguments.
 *
 * @param environment the variables; see {@link EnvironmentSettings}
 */
public record Surroundings(InputStream standardInput, Map<String, String> environment) {}
