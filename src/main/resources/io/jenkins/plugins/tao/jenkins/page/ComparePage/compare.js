/* Draws the curves of two builds over each other; the tables beside them have the same numbers. */
(function () {
  "use strict";
  function draw(page) {
    fetch(page.dataset.state)
      .then((reply) => reply.json())
      .then((state) => state.jobs.forEach((job) => {
        const parent = document.querySelector('.tao-curves[data-job="' + CSS.escape(job.id) + '"]');
        job.curves.forEach((curve) => {
          const before = job.curvesBefore.find((other) => other.name === curve.name);
          window.taoCharts.draw(parent, { key: job.id + " " + curve.name, name: curve.name, points: curve.points,
            label: page.dataset.now, before: before && { name: page.dataset.before, points: before.points } });
        });
      }));
  }
  Behaviour.specify("#tao-compare", "tao-compare", 0, draw);
})();
