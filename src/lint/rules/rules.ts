// Which rules look at which kind of object.
import type { KindName } from "../../model/address.ts";
import { bornSoldOut, wrongWeekday, yearInName } from "./copied-year.ts";
import { bareListing, placeholderText, venueMissing, venueOnOnlineEvent } from "./listing.ts";
import { duplicateNameWithin, invisibleCharacters } from "./names.ts";
import {
  freeEventWithPrice,
  paidEventAllFree,
  priceLooksLikeCentavos,
  rsvpWithPrice,
  vipCheaperThanGa,
} from "./prices.ts";
import type { Rule } from "./rule.ts";
import {
  maxPurchaseAboveQuantity,
  nothingOnSale,
  publishedNotStated,
  reservedSeatWithoutSeat,
  ticketsExceedCapacity,
} from "./sale.ts";
import { performerInTwoPlaces, scheduleOutsideEvent } from "./schedule.ts";
import { secretInFile } from "./secrets.ts";
import {
  entryEndsBeforeStart,
  eventEndsBeforeStart,
  farFuture,
  localTimeOdd,
  oddDuration,
  startsInThePast,
  unknownTimezone,
} from "./times.ts";
import { addressesForBuyers } from "./urls.ts";
import { callbackAddress, webhookAddress, webhookWithoutEvents } from "./webhooks.ts";

const forEverything: readonly Rule[] = [invisibleCharacters, placeholderText, addressesForBuyers, secretInFile];

export const rules: Readonly<Record<KindName, readonly Rule[]>> = {
  event: [
    ...forEverything,
    priceLooksLikeCentavos,
    paidEventAllFree,
    vipCheaperThanGa,
    ticketsExceedCapacity,
    duplicateNameWithin,
    nothingOnSale,
    bareListing,
    unknownTimezone,
    localTimeOdd,
    wrongWeekday,
    yearInName,
    eventEndsBeforeStart,
    startsInThePast,
    farFuture,
    oddDuration,
    performerInTwoPlaces,
    venueMissing,
    venueOnOnlineEvent,
    callbackAddress,
  ],
  ticket: [
    ...forEverything,
    freeEventWithPrice,
    rsvpWithPrice,
    maxPurchaseAboveQuantity,
    publishedNotStated,
    bornSoldOut,
    yearInName,
    reservedSeatWithoutSeat,
  ],
  performer: forEverything,
  schedule: [...forEverything, localTimeOdd, entryEndsBeforeStart, scheduleOutsideEvent],
  brand: forEverything,
  webhook: [...forEverything, webhookAddress, webhookWithoutEvents],
};
