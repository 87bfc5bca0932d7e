/**
 * Jobs as commits of Kaggle notebooks, through Kaggle's HTTP API; and notebooks for Colab. Start at
 * {@link io.jenkins.plugins.tao.backend.notebook.KaggleType}; only {@code KaggleApi} talks. The Python that runs within
 * a notebook lies beside as {@code run.py} and {@code drive.py}. May use {@code bind}, {@code backend}, {@code spec},
 * {@code http}, {@code remote}, {@code job}.
 */
@NullMarked
package io.jenkins.plugins.tao.backend.notebook;

import org.jspecify.annotations.NullMarked;
