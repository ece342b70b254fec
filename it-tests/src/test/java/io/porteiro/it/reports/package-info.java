/** Plays the cases taken from public bug reports ({@code cases.jsonl}). */
@NullMarked
package io.porteiro.it.reports;

import org.jspecify.annotations.NullMarked;
