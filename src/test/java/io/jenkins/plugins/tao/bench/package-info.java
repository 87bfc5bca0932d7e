/** The figures of docs/benchmarks.md; see CONTRIBUTING.md for how to make it. Nothing here is a test. */
@NullMarked
package io.jenkins.plugins.tao.bench;

import org.jspecify.annotations.NullMarked;
