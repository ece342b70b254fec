/** Integration tests: the packaged server as a process, driven through its socket. */
@NullMarked
package io.porteiro.it;

import org.jspecify.annotations.NullMarked;
