/* Keeps the cells of jobs up to date: changes the texts that differ, counts times, stops when all jobs have ended. */
(function () {
  "use strict";

  function words(seconds) {
    const parts = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
    const units = ["d", "h", "m", "s"];
    const first = Math.max(0, parts.findIndex((part, index) => part > 0 || index === 3));
    const next = first < 3 && parts[first + 1] > 0 ? parts[first + 1] + units[first + 1] : "";
    return parts[first] + units[first] + next;
  }

  function put(element, text) {
    if (element && element.textContent !== text) {
      element.textContent = text;
    }
  }

  function tick() {
    document.querySelectorAll("[data-until]").forEach((span) => {
      const until = Date.parse(span.dataset.until);
      const left = (until - Date.now()) / 1000; // not a number where the end is not known
      put(span, left > 0 ? "ETA " + words(left) : "");
    });
    document.querySelectorAll("[data-since]").forEach((cell) => {
      const since = Date.parse(cell.dataset.since);
      if (!Number.isNaN(since)) {
        put(cell, words(Math.max(0, (Date.now() - since) / 1000)));
      }
    });
  }

  function show(row, job) {
    row.dataset.kind = job.kind;
    row.querySelectorAll("[data-cell]").forEach((cell) => {
      const name = cell.dataset.cell;
      const since = name === "wait" ? job.waitsSince : name === "ran" ? job.runsSince : undefined;
      if (cell.dataset.since !== undefined) {
        cell.dataset.since = since || "";
      }
      if (!since) {
        put(cell, job.cells[name] || "");
      }
    });
    const eta = row.querySelector("[data-until]");
    eta.dataset.until = job.eta || "";
    const detail = row.querySelector(".tao-text");
    if (detail) {
      detail.title = job.cells.detail || "";
    }
    const bar = row.querySelector("progress");
    bar.hidden = job.fraction === undefined;
    bar.value = Number(job.fraction || 0);
  }

  /* Asks for a state again and again until it is complete; an answer that has not changed has no body. */
  function follow(url, pause, taken) {
    let tag = "";
    function ask() {
      const again = () => setTimeout(ask, pause);
      if (document.hidden) {
        again();
        return;
      }
      fetch(url, { cache: "no-store", headers: tag ? { "If-None-Match": tag } : {} })
        .then((reply) => {
          if (reply.status === 304) {
            return false;
          }
          if (!reply.ok) {
            throw new Error(String(reply.status));
          }
          tag = reply.headers.get("ETag") || "";
          return reply.json().then((state) => Promise.resolve(taken(state)).then(() => state.complete));
        })
        .then((complete) => {
          tick();
          if (!complete) {
            again();
          }
        }, again);
    }
    tick();
    ask();
  }

  window.taoJobs = { show, tick, put, follow, words };
})();
