// Orders, one and many.
export { makeOrdersText, ordersCsvRow, ordersCsvTitles, renderOrderText } from "./lists/order-text.ts";
export {
  addOrder,
  formatItems,
  makeSums,
  orderRecord,
  paymentOf,
  sumsSentence,
  viewOrder,
} from "./lists/order-view.ts";
