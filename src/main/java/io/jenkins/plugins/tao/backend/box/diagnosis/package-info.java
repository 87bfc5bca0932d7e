/** Why a job ended on a machine: its facts, its GPUs, its last lines; pure. Above {@code options}. */
@NullMarked
package io.jenkins.plugins.tao.backend.box.diagnosis;

import org.jspecify.annotations.NullMarked;
