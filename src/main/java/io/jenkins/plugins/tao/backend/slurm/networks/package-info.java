/**
 * What single networks of TAO need on a cluster: where their specs name files, and the processes of Cosmos. The
 * lowest layer of the adapter.
 */
@NullMarked
package io.jenkins.plugins.tao.backend.slurm.networks;

import org.jspecify.annotations.NullMarked;
