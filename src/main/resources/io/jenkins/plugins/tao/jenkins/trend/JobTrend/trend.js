/* Draws the trends of a Jenkins job, a chart a metric and training; a click on a build opens it. */
(function () {
  "use strict";
  const color = (name, fallback) => window.taoCharts.color(name, fallback);
  const looks = {
    failed: () => ({ symbol: "diamond", symbolSize: 11, itemStyle: { color: color("--red", "#c00") } }),
    lost: () => ({ symbol: "triangle", symbolSize: 9, itemStyle: { color: color("--orange", "#c60") } }),
  };

  function brief(number) {
    return number === undefined ? "" : String(Number(number.toPrecision(6)));
  }

  /* What is known of one build, as text alone: names and sentences come from outside. */
  function hover(trend, chart, point, marks) {
    const box = document.createElement("div");
    box.className = "tao-hover";
    const build = trend.builds[point.build];
    [
      build.label + ", " + build.outcome,
      point.value === undefined ? "no value" : chart.metric + " " + brief(point.value) + (chart.unit ? " " + chart.unit : ""),
      [["usual ", point.level], ["limit ", chart.band ? point.limit : undefined]].filter((one) => one[1] !== undefined).map((one) => one[0] + brief(one[1])).join(", "),
      point.why || "",
      ...marks.map((mark) => mark.text),
    ].filter((text) => text).forEach((text) => {
      const line = document.createElement("div");
      line.textContent = text;
      box.appendChild(line);
    });
    return box;
  }

  /* The axis: the usual values, the newest limit and the lines near them. One run far away must not flatten all others: it is drawn
     at the edge, and its value stands in the hover. */
  function extent(chart, points) {
    const values = points.flatMap((point) => (point.value === undefined ? [] : [point.value])).sort((a, b) => a - b);
    const quantile = (part) => values[Math.round((values.length - 1) * part)];
    const spread = quantile(0.75) - quantile(0.25) || Math.abs(quantile(0.5)) / 50;
    const near = [];
    const last = chart.band ? points.filter((point) => point.limit !== undefined).pop() : undefined;
    if (last) {
      near.push(last.limit, last.level ?? last.limit);
    }
    const usual = (value) => values.length < 8 || (value >= quantile(0.25) - 8 * spread && value <= quantile(0.75) + 8 * spread);
    near.push(...values.filter(usual), ...chart.lines.map((line) => line.value).filter(usual));
    const low = Math.min(...near);
    const high = Math.max(...near);
    const space = (high - low || Math.abs(high) || 1) / 8;
    return { min: low >= 0 ? Math.max(0, low - space) : low - space, max: high + space };
  }

  /* The labels of lines: above and below, at the left and at the right in turns, so that neighbours do not cover each other. */
  function lines(chart, axis, text) {
    const places = ["insideStartTop", "insideStartBottom", "insideEndTop", "insideEndBottom"];
    return [...chart.lines].sort((a, b) => b.value - a.value).map((one, index) => {
      const seen = Math.min(axis.max, Math.max(axis.min, one.value));
      const away = one.value > seen ? " ↑" : one.value < seen ? " ↓" : "";
      return {
        yAxis: seen, lineStyle: { color: color(one.blessed ? "--green" : "--red", "#080"), type: "dashed" },
        label: {
          formatter: one.name + (one.blessed ? " " + brief(one.value) : "") + away,
          position: away === " ↓" ? "insideEndTop" : places[index % places.length],
          color: text, fontSize: 11, backgroundColor: color("--background", "#fff"), padding: [1, 3],
        },
      };
    });
  }

  function option(trend, chart) {
    const text = color("--text-color", "#333");
    const faint = color("--tao-quiet", color("--text-color-secondary", "#888"));
    const line = color("--jenkins-border-color", "rgba(128,128,128,.3)");
    const points = chart.points;
    const training = trend.trainings.find((one) => one.name === chart.training);
    const at = new Map(points.map((point, index) => [point.build, index]));
    const marks = (training ? training.marks : []).filter((mark) => at.has(mark.build));
    const kind = (mark) => (mark.code ? "code" : mark.text.split(" ")[0]);
    // what changes with most builds, such as a nightly image, would hide the curve behind its lines
    const drawn = (mark) => mark.blessed
      || (!mark.code && marks.filter((other) => !other.blessed && kind(other) === kind(mark)).length * 4 <= points.length);
    const axis = extent(chart, points);
    const banded = (point) => chart.band && point.limit !== undefined;
    const step = (name, values, more) => ({ type: "line", name, data: values, symbol: "none", silent: true, step: "middle", connectNulls: false, ...more });
    const bottom = points.flatMap((point, index) => {
      if (point.value === undefined) {
        return [{ value: [index, axis.min], symbol: "path://M0,1L1,0L4,3L7,0L8,1L5,4L8,7L7,8L4,5L1,8L0,7L3,4Z", symbolSize: 9, itemStyle: { color: color("--red", "#c00") } }];
      }
      return marks.some((mark) => !drawn(mark) && mark.build === point.build)
        ? [{ value: [index, axis.min], symbol: "triangle", symbolSize: 5, itemStyle: { color: faint } }]
        : [];
    });
    return {
      animation: false,
      aria: { enabled: true },
      title: {
        text: chart.metric + (chart.unit ? " (" + chart.unit + ")" : ""),
        subtext: trend.trainings.length > 1 ? chart.training : "",
        left: 0, top: 0, itemGap: 2,
        // without a lineHeight ECharts derives it from a Chinese glyph, which many fonts lack: the lines then overlap
        textStyle: { color: text, fontSize: 13, lineHeight: 18 },
        subtextStyle: { color: faint, fontSize: 12, lineHeight: 16 },
      },
      tooltip: {
        trigger: "axis",
        position: (mouse, items, box, rect, size) => // below the chart, which stays in sight
          [Math.max(0, Math.min(mouse[0] - size.contentSize[0] / 2, size.viewSize[0] - size.contentSize[0])), size.viewSize[1]],
        backgroundColor: color("--background", "#fff"), borderColor: line, textStyle: { color: text, fontSize: 12 },
        extraCssText: "max-width: 100%; white-space: normal;",
        formatter: (items) => {
          const point = points[items[0].dataIndex];
          return hover(trend, chart, point, marks.filter((mark) => mark.build === point.build));
        },
      },
      grid: { left: 8, right: 16, top: trend.trainings.length > 1 ? 48 : 32, bottom: 8, containLabel: true },
      xAxis: { type: "category", data: points.map((point) => trend.builds[point.build].label), axisLabel: { color: faint }, axisTick: { show: false }, axisLine: { lineStyle: { color: line } } },
      yAxis: { type: "value", min: axis.min, max: axis.max, axisLabel: { color: faint, formatter: brief, showMinLabel: false, showMaxLabel: false }, splitLine: { lineStyle: { color: line } } },
      series: [
        step("limit", points.map((point) => (banded(point) ? Math.min(point.limit, point.level ?? point.limit) : null)), { stack: "band", stackStrategy: "all", lineStyle: { opacity: 0 } }),
        step("band", points.map((point) => (banded(point) ? Math.abs((point.level ?? point.limit) - point.limit) : null)), { stack: "band", stackStrategy: "all", lineStyle: { opacity: 0 }, areaStyle: { color: color("--green", "#080"), opacity: 0.14 } }),
        step("usual", points.map((point) => (banded(point) ? point.level ?? null : null)), { lineStyle: { color: faint, width: 1, type: "dashed" } }),
        step("worse than", points.map((point) => (banded(point) ? point.limit : null)), { lineStyle: { color: color("--red", "#c00"), width: 1 } }),
        {
          type: "line", name: chart.metric, z: 5, connectNulls: false, showAllSymbol: true, symbol: "circle", symbolSize: 6,
          itemStyle: { color: color("--blue", "#06c") }, lineStyle: { width: 1.5 },
          data: points.map((point) => {
            if (point.value === undefined) {
              return null;
            }
            const look = looks[point.kind] ? looks[point.kind]() : {};
            if (point.value >= axis.min && point.value <= axis.max) {
              return { value: point.value, ...look };
            }
            const below = point.value < axis.min;
            return { value: below ? axis.min : axis.max, ...look, symbol: "arrow", symbolSize: 12, symbolRotate: below ? 180 : 0 };
          }),
          markLine: {
            symbol: "none", silent: true, precision: 12,
            data: lines(chart, axis, text).concat(marks.filter(drawn).map((mark) => ({
              xAxis: at.get(mark.build), lineStyle: { color: mark.blessed ? color("--green", "#080") : faint, type: "dotted", width: 1.5 },
              label: { formatter: mark.blessed ? "★" : kind(mark), position: "end", distance: 2, color: text, fontSize: 11 },
            }))),
          },
        },
        { type: "scatter", name: "", silent: true, z: 6, data: bottom },
      ],
    };
  }

  window.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".tao-trend").forEach((box) => {
      fetch(box.dataset.trend)
        .then((reply) => reply.json())
        .then((trend) => trend.charts.forEach((chart) =>
          window.taoCharts.show(box, chart.training + "\n" + chart.metric, option(trend, chart), (index) => {
            const point = chart.points[index];
            if (point && trend.builds[point.build].url) {
              location.assign(box.dataset.root + trend.builds[point.build].url + "tao/");
            }
          })));
    });
  });
})();
