// A plan as text, JSON, Markdown and HTML.

export { renderPlanMarkdown } from "./formats/plan-markdown.ts";
export { renderPlanFile, renderPlanJson, renderPlanText } from "./formats/plan-text.ts";
export { cardParts, renderCard } from "./page/card.ts";
export { nameHtml, pagePolicy, renderPage, textHtml } from "./page/frame.ts";
export { renderPlanHtml } from "./page/plan-page.ts";
export * from "./page/preview.ts";
export { remarksOf, summarySentence } from "./plan-view/build-view.ts";
export { operationWords } from "./plan-view/order-steps.ts";
