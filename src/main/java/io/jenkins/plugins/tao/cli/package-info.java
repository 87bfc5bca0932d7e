/**
 * The same verbs without Jenkins, as {@code ./tao}; also the tool for trying a job file and for bug reports. May use
 * {@code file}, {@code tracking}, {@code bind}, {@code dispatch}, {@code journal}, {@code history}, {@code nodes},
 * {@code report}, {@code cost}, {@code gate}, {@code record}, {@code monitor}, {@code failure}, {@code backend}, {@code code},
 * {@code sweep}, {@code placing}, {@code job}; of {@code http} the proxy, of {@code remote} the SSH configuration.
 */
@NullMarked
package io.jenkins.plugins.tao.cli;

import org.jspecify.annotations.NullMarked;
