/* The page of one job: asks for its state, draws its curves, shows the end of its log; stops when the job has ended. */
(function () {
  "use strict";
  const PAUSE = 4000;

  function rounded(value) {
    return value === undefined ? "" : String(Number(value.toPrecision(5)));
  }

  function values(table, curves) {
    const rows = curves.map((curve) => {
      const finite = curve.points.map((point) => point[1]).filter((value) => value !== null);
      const row = document.createElement("tr");
      const last = curve.points.length ? curve.points[curve.points.length - 1][1] : undefined;
      [curve.name, rounded(finite[0]), rounded(finite.length ? Math.min(...finite) : undefined),
        rounded(finite.length ? Math.max(...finite) : undefined), last === null ? "NaN" : rounded(last), String(curve.points.length)]
        .forEach((text) => {
          row.insertCell().textContent = text;
        });
      return row;
    });
    table.tBodies[0].replaceChildren(...rows);
  }

  /* Curves that a gate is about come first, with their limits. */
  function gated(state) {
    const curves = state.curves.map((curve) => {
      const gates = (state.gates || []).filter((gate) => gate.metric === curve.name);
      const limits = gates.flatMap((gate) => (gate.limit === undefined ? [] : [gate.limit]));
      return { ...curve, gated: gates.length > 0, limits };
    });
    return curves.filter((curve) => curve.gated).concat(curves.filter((curve) => !curve.gated));
  }

  /* As torchrun, PyTorch and srun mark the lines of a rank. */
  function rank(line) {
    const mark = /^(?:main\.(?:err|out): |log_streams: )?(?:\[[a-z ]*(\d{1,6})\]|(\d{1,6}):(?=\s))/i.exec(line);
    return mark ? mark[1] || mark[2] : "";
  }

  function search(lines) {
    const bar = document.getElementById("tao-search");
    const select = bar.querySelector("select");
    const ranks = Array.from(new Set(lines.map(rank))).filter((one) => one).sort((one, other) => one - other);
    bar.hidden = lines.length === 0;
    select.parentElement.hidden = ranks.length < 2;
    const known = Array.from(select.options, (option) => option.value);
    ranks.filter((one) => !known.includes(one)).forEach((one) => select.add(new Option(one, one)));
    const text = bar.querySelector("input").value.toLowerCase();
    const found = lines.filter((line) => (!select.value || rank(line) === select.value) && line.toLowerCase().includes(text));
    window.taoJobs.put(bar.querySelector(".tao-found"), found.length < lines.length ? found.length + " / " + lines.length : "");
    return found.join("\n");
  }

  function log(lines) {
    const tail = document.getElementById("tao-tail");
    const text = search(lines);
    if (tail.textContent !== text) {
      const atEnd = tail.scrollTop + tail.clientHeight >= tail.scrollHeight - 4;
      tail.textContent = text;
      if (atEnd) {
        tail.scrollTop = tail.scrollHeight;
      }
    }
  }

  /* One bar from the first to the last moment; what still goes on reaches to now. */
  function phases(running) {
    const bar = document.getElementById("tao-phases");
    const entries = Array.from(document.querySelectorAll("#tao-timeline tr"), (row) => ({ at: Date.parse(row.dataset.at), phase: row.dataset.phase }))
      .filter((entry) => entry.phase && !Number.isNaN(entry.at));
    let attempt = 1;
    const parts = entries.map((entry, index) => {
      attempt += entry.phase === "attempt" ? 1 : 0;
      const kind = entry.phase === "attempt" ? "waiting" : entry.phase;
      const to = index + 1 < entries.length ? entries[index + 1].at : running ? Date.now() : entry.at;
      return { kind, attempt, seconds: (to - entry.at) / 1000 };
    }).filter((part) => part.kind !== "ended" && part.seconds > 0);
    const merged = [];
    parts.forEach((part) => {
      const last = merged[merged.length - 1];
      if (last && last.kind === part.kind && last.attempt === part.attempt) {
        last.seconds += part.seconds;
      } else {
        merged.push({ ...part });
      }
    });
    bar.replaceChildren(...merged.map((part) => {
      const span = document.createElement("span");
      span.dataset.phase = part.kind;
      span.style.flexGrow = String(part.seconds);
      span.textContent = (attempt > 1 ? bar.dataset.attempt + " " + part.attempt + ", " : "") + bar.dataset[part.kind] + " " + window.taoJobs.words(part.seconds);
      span.title = span.textContent;
      return span;
    }));
  }

  let shown = [];

  function show(page, state) {
    window.taoJobs.show(page, state.job);
    document.getElementById("tao-none").hidden = state.curves.length > 0;
    const curves = gated(state);
    curves.forEach((curve) => window.taoCharts.draw(document.getElementById("tao-curves"), curve));
    values(document.getElementById("tao-values"), curves);
    shown = state.tail || [];
    log(shown);
    phases(!state.complete);
  }

  window.addEventListener("DOMContentLoaded", () => {
    const page = document.getElementById("tao-job");
    if (page) {
      const bar = document.getElementById("tao-search");
      bar.addEventListener("input", () => log(shown));
      window.taoJobs.follow(page.dataset.state, PAUSE, (state) => show(page, state));
    }
  });
})();
