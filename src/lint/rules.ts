// Which rules look at which kind of object.
import type { KindName } from "../model/kind-name.ts";
import { priceLooksLikeCentavos } from "./centavos.ts";
import { invisibleCharacters } from "./characters.ts";
import { bornSoldOut, wrongWeekday, yearInName } from "./copied-year.ts";
import { bareListing, placeholderText } from "./listing.ts";
import { localTimeOdd } from "./local-time.ts";
import { freeEventWithPrice, paidEventAllFree, rsvpWithPrice, vipCheaperThanGa } from "./prices.ts";
import { maxPurchaseAboveQuantity, ticketsExceedCapacity } from "./quantities.ts";
import type { Rule } from "./rule.ts";
import { nothingOnSale, publishedNotStated, reservedSeatWithoutSeat } from "./sale.ts";
import { performerInTwoPlaces, scheduleOutsideEvent } from "./schedule.ts";
import { secretInFile } from "./secrets.ts";
import { entryEndsBeforeStart, eventEndsBeforeStart, farFuture, oddDuration, startsInThePast } from "./times.ts";
import { unknownTimezone } from "./timezones.ts";
import { duplicateNameWithin } from "./twins.ts";
import { addressesForBuyers } from "./urls.ts";
import { venueMissing, venueOnOnlineEvent } from "./venues.ts";
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
