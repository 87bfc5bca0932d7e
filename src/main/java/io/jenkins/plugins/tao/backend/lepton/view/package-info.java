/** What the API says of shapes, groups, replicas, events and lines of logs, as values. Above {@code options}. */
@NullMarked
package io.jenkins.plugins.tao.backend.lepton.view;

import org.jspecify.annotations.NullMarked;
