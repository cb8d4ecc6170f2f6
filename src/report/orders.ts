// Orders, one and many.
export { makeOrdersText, ordersCsvRow, ordersCsvTitles, renderOrderText } from "./orders/text.ts";

export { addOrder, formatItems, makeSums, orderRecord, paymentOf, sumsSentence, viewOrder } from "./orders/view.ts";
