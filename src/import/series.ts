// Events alike but for their dates, as a template and a series.
export { draftSeries, type SeriesDraft } from "./series/draft-series.ts";
export { type RelativeEvent, relativeEvent } from "./series/relative-event.ts";
export { renderSeries } from "./text/render-series.ts";
