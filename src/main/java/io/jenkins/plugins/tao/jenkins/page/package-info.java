/** What a build shows of its jobs: a page, and the same as an API. Knows nothing of how jobs run. */
@NullMarked
package io.jenkins.plugins.tao.jenkins.page;

import org.jspecify.annotations.NullMarked;
