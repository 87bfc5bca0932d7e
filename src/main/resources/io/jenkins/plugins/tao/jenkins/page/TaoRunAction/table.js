/* The table of the jobs of a build: which of them it shows, in which order, in groups and pages; the choice stands in the address. */
(function () {
  "use strict";
  const PAUSE = 3000;
  const ROWS = 50;
  const chosen = new URLSearchParams(location.hash.slice(1));
  const order = new Intl.Collator(undefined, { numeric: true });
  const folds = new Map();
  const made = new Map();
  let jobs = [];
  let table;
  let bar;
  let pattern;

  function matches(job) {
    const words = (chosen.get("text") || "").toLowerCase().split(/\s+/);
    const text = [job.cells.name, job.id, job.cells.target, job.cells.nativeId, job.cells.work, job.sweep].join("\n").toLowerCase();
    return (!chosen.has("state") || job.kind === chosen.get("state")) && words.every((word) => text.includes(word));
  }

  function value(job, column) {
    const since = column === "wait" ? job.waitsSince : column === "ran" ? job.runsSince : undefined;
    const more = { wait: job.waitSeconds, ran: job.runSeconds, progress: job.fraction, kpis: (job.cells.kpis || "").split("\n")[0].split(" ").pop() };
    const text = since ? (Date.now() - Date.parse(since)) / 1000 : column in more ? more[column] : job.cells[column];
    return text === undefined || text === "" ? "" : Number.isNaN(Number(text)) ? text : Number(text);
  }

  /* What is not known comes last, whichever way the column is sorted. */
  function compare(one, other) {
    if (one === "" || other === "") {
      return (one === "") - (other === "");
    }
    const numbers = typeof one === "number" && typeof other === "number";
    return (numbers ? one - other : order.compare(String(one), String(other))) * (chosen.has("down") ? -1 : 1);
  }

  function sorted(found) {
    const column = chosen.get("sort");
    return column ? found.map((job) => ({ job, value: value(job, column) })).sort((a, b) => compare(a.value, b.value)).map((pair) => pair.job) : found;
  }

  /* The lines of the table: a sweep stands where its first job does, its other jobs follow. */
  function lines(found) {
    const sizes = new Map();
    jobs.forEach((job) => sizes.set(job.sweep, (sizes.get(job.sweep) || 0) + 1));
    const groups = new Map();
    found.forEach((job) => {
      const sweep = job.sweep && sizes.get(job.sweep) > 1 ? job.sweep : "";
      const key = sweep || " " + job.id;
      groups.set(key, (groups.get(key) || { sweep, jobs: [] }));
      groups.get(key).jobs.push(job);
    });
    return Array.from(groups.values()).flatMap((group) => {
      const members = group.jobs.map((job) => ({ job, group }));
      return group.sweep ? [{ group }].concat(isFolded(group, found) ? [] : members) : members;
    });
  }

  function isFolded(group, found) {
    return folds.has(group.sweep) ? folds.get(group.sweep) : found.length > ROWS && group.jobs.length < found.length;
  }

  function rowOf(job, member) {
    let row = made.get("job " + job.id);
    if (!row) {
      row = pattern.cloneNode(true);
      row.dataset.job = job.id;
      made.set("job " + job.id, row);
    }
    row.classList.toggle("tao-member", member);
    const link = row.querySelector("a");
    link.setAttribute("href", "job/" + encodeURIComponent(job.id) + "/");
    link.title = job.id;
    row.querySelector("[data-cell=nodes]").title = job.cells.allNodes || "";
    const copy = row.querySelector(".tao-copy > span");
    copy.hidden = !job.token;
    copy.querySelector("button").setAttribute("text", job.token || "");
    window.taoJobs.show(row, job);
    return row;
  }

  function headOf(group, folded) {
    let row = made.get("sweep " + group.sweep);
    if (!row) {
      row = document.createElement("tr");
      row.className = "tao-group";
      const cell = row.insertCell();
      cell.colSpan = table.tHead.rows[0].cells.length;
      const button = cell.appendChild(document.createElement("button"));
      button.type = "button";
      button.className = "tao-plain";
      button.addEventListener("click", () => {
        folds.set(group.sweep, button.getAttribute("aria-expanded") === "true");
        render();
      });
      cell.appendChild(document.createElement("span"));
      made.set("sweep " + group.sweep, row);
    }
    const button = row.querySelector("button");
    button.setAttribute("aria-expanded", String(!folded));
    window.taoJobs.put(button, group.sweep + " (" + group.jobs.length + ")");
    const counts = states(group.jobs);
    const parts = row.querySelector("span");
    if (parts.dataset.counts !== JSON.stringify(counts)) {
      parts.dataset.counts = JSON.stringify(counts);
      parts.replaceChildren(...counts.map(([kind, count]) => {
        const part = document.createElement("span");
        part.dataset.kind = kind;
        part.className = "tao-count";
        const text = part.appendChild(document.createElement("span"));
        text.className = "tao-state";
        text.textContent = count + " " + kind;
        return part;
      }));
    }
    return row;
  }

  function states(some) {
    return Array.from(bar.querySelectorAll("option"), (option) => [option.value, some.filter((job) => job.kind === option.value).length])
      .filter((pair) => pair[1] > 0);
  }

  /* Rows that stay where they are are not touched: what has the focus keeps it. */
  function place(rows) {
    const body = table.tBodies[0];
    if (rows.length === body.rows.length && rows.every((row, index) => row === body.rows[index])) {
      return;
    }
    const focused = document.activeElement;
    body.replaceChildren(...rows);
    rows.filter((row) => row.dataset.job && !row.dataset.ready).forEach((row) => {
      row.dataset.ready = "true";
      Behaviour.applySubtree(row);
    });
    if (body.contains(focused)) {
      focused.focus();
    }
  }

  function render() {
    const found = sorted(jobs.filter(matches));
    const all = lines(found);
    const pages = Math.max(1, Math.ceil(all.length / ROWS));
    const page = Math.min(pages, Math.max(1, Number(chosen.get("page")) || 1));
    const shown = all.slice((page - 1) * ROWS, page * ROWS);
    if (shown.length > 0 && shown[0].job && shown[0].group.sweep) {
      shown.unshift({ group: shown[0].group });
    }
    place(shown.map((line) => line.job ? rowOf(line.job, line.group.sweep !== "") : headOf(line.group, isFolded(line.group, found))));
    window.taoJobs.tick();
    controls(found.length, page, pages);
  }

  function controls(found, page, pages) {
    bar.classList.toggle("tao-used", jobs.length > 1);
    const counts = new Map(states(jobs));
    bar.querySelectorAll("option").forEach((option) => {
      option.dataset.word = option.dataset.word || option.textContent;
      const count = option.value ? counts.get(option.value) || 0 : jobs.length;
      option.hidden = count === 0 && option.value !== bar.querySelector("select").value;
      window.taoJobs.put(option, option.dataset.word + " (" + count + ")");
    });
    window.taoJobs.put(bar.querySelector(".tao-found"), found < jobs.length ? found + " / " + jobs.length : "");
    document.querySelector(".tao-nothing").hidden = found > 0 || jobs.length === 0;
    document.querySelectorAll(".tao-pages").forEach((pager) => {
      pager.hidden = pages < 2;
      window.taoJobs.put(pager.querySelector(".tao-page"), page + " / " + pages);
      pager.querySelectorAll("button").forEach((button) => {
        const to = page + Number(button.dataset.step);
        button.dataset.to = String(to);
        button.setAttribute("aria-disabled", String(to < 1 || to > pages));
      });
    });
    table.querySelectorAll("[data-column]").forEach((button) => {
      const way = button.dataset.column !== chosen.get("sort") ? "none" : chosen.has("down") ? "descending" : "ascending";
      button.parentElement.setAttribute("aria-sort", way);
    });
  }

  /* Each choice but that of a page shows the first page. */
  function choose(choices) {
    chosen.delete("page");
    Object.entries(choices).forEach(([name, text]) => (text ? chosen.set(name, text) : chosen.delete(name)));
    history.replaceState(null, "", String(chosen) ? "#" + chosen : location.pathname + location.search);
    render();
  }

  function sort(column) {
    const same = chosen.get("sort") === column;
    choose(same && chosen.has("down") ? { sort: "", down: "" } : { sort: column, down: same ? "1" : "" });
  }

  function turn(button) {
    if (button.getAttribute("aria-disabled") !== "true") {
      choose({ page: button.dataset.to });
      if (bar.getBoundingClientRect().top < 0) {
        bar.scrollIntoView();
      }
    }
  }

  function taken(state) {
    window.taoJobs.put(document.getElementById("tao-totals"), state.totals);
    jobs = state.jobs || [];
    if (pattern || jobs.length === 0) {
      render();
      return undefined;
    }
    return fetch(location.pathname).then((reply) => reply.text()).then((html) => { // the first job of a page that was opened before
      const row = new DOMParser().parseFromString(html, "text/html").querySelector(".tao-jobs tbody tr");
      pattern = row && document.importNode(row, true);
      if (pattern) {
        render();
      }
    });
  }

  function start(found) {
    table = found;
    bar = document.querySelector(".tao-bar");
    Array.from(table.tBodies[0].rows).forEach((row) => {
      row.dataset.ready = "true";
      made.set("job " + row.dataset.job, row);
    });
    pattern = table.tBodies[0].rows[0] && table.tBodies[0].rows[0].cloneNode(true);
    if (pattern) {
      delete pattern.dataset.ready;
    }
    const select = bar.querySelector("select");
    const text = bar.querySelector("input");
    select.value = chosen.get("state") || "";
    text.value = chosen.get("text") || "";
    select.addEventListener("change", () => choose({ state: select.value }));
    text.addEventListener("input", () => choose({ text: text.value.trim() }));
    table.after(bar.querySelector(".tao-pages").cloneNode(true));
    document.querySelectorAll(".tao-pages button").forEach((button) => button.addEventListener("click", () => turn(button)));
    table.querySelectorAll("[data-column]").forEach((button) => button.addEventListener("click", () => sort(button.dataset.column)));
    window.taoJobs.follow(table.dataset.state, PAUSE, taken);
  }

  Behaviour.specify(".tao-jobs[data-state]", "tao-jobs", 0, (found) => table || start(found));
})();
