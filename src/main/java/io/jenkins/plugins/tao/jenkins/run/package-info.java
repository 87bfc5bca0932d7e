/**
 * One job in one build, whatever step or builder asked for it: submitted, watched, told to the build log, archived. Holds no
 * thread: work is handed to the engine, and its answers come back as futures.
 */
@NullMarked
package io.jenkins.plugins.tao.jenkins.run;

import org.jspecify.annotations.NullMarked;
