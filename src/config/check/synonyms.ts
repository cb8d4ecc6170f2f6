// Words that people write where a field or value of another name, or none at all, says it. All in lower case, without signs.
import {
  type Advice,
  adviceByChoice,
  adviceFor,
  childKinds,
  generalAdvice,
  kindOf,
  type WordAdvice,
} from "../../kinds/index.ts";

/** By field, the words that may mean it. A word that may mean several fields is listed under each, the likeliest first. */
const synonyms: Readonly<Record<string, string>> = {
  name: "title label eventname ticketname",
  title: "title name label",
  dateTime:
    "date day time when start starts startsat startat begin begins from startdate startdatetime starttime eventdate",
  startTime: "time when start starts startsat startat begin begins from startdate startdatetime datetime",
  endDateTime: "end ends endsat endat until to finish enddate endtime",
  endTime: "end ends endsat endat until to finish enddate enddatetime",
  venue: "location place where hall venuename",
  imageUrl: "image picture cover coverimage poster banner flyer thumbnail photo",
  galleryUrls: "gallery images photos pictures",
  description: "desc about summary details blurb info text bio",
  eventCapacity: "capacity maxcapacity",
  timezone: "tz",
  quantity: "qty count stock inventory available seats total",
  price: "cost amount fee",
  published: "onsale forsale publish",
  status: "state publish",
  maximumPurchaseQuantity:
    "limit max maxperorder maxperperson perorder maxpurchase maxquantity maxpurchasequantity maximumquantity maxtickets",
  performer: "performerid artist speaker",
  performers: "artist artists speaker speakers lineup acts djs bands talent",
  schedules: "programme program timetable agenda",
  brands: "sponsors sponsor partners",
  tickets: "tickettypes tickettype tiers prices admission",
  baseUrl: "url",
  url: "link website endpoint url",
  color: "colour",
  isActive: "active enabled",
  callbackUrl: "webhook webhookurl callback",
  ignore: "silence",
  renamedFrom: "oldname formername previousname",
  id: "uuid eventid",
  organization: "org organisation",
  apiKeyEnv: "apikey",
  environments: "envs env",
  defaultEnvironment: "defaultenv",
  vars: "variables",
  extends: "extend template templates inherits inherit basedon parent copyfrom include includes import imports uses",
  phases: "phase timeline stages",
  series: "recurring recurrence recurs repeat repeats rrule frequency every weekly daily dates occurrences",
  without: "except exclude drop omit",
  remove: "removed delete deleted",
};

/** As it is written, without case and signs. */
export function bare(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, "");
}

/** The fields that people may mean by a word that is not a field. */
export function fieldsMeantBy(word: string): readonly string[] {
  return Object.keys(synonyms).filter((field) => lists(synonyms[field], word));
}

function lists(words: string | undefined, word: string): boolean {
  return words?.split(" ").includes(bare(word)) === true;
}

/** What to do instead of a field that does not exist in an event, or in an entry of this list of it; null if there is no advice. */
export function adviceOn(word: string, list: string | null): Advice | null {
  const kind = list === null ? kindOf("event") : childKinds("event").find(({ plural }) => plural === list);
  return adviceAmong(kind?.notFields ?? [], word);
}

const templates = adviceFor(
  "extends extend inherits inherit basedon parent copyfrom include includes import imports uses",
  "Templates are files of their own, which events name under `extends`.",
  "Put what all events share under `defaults`, and what some share into templates/NAME.yaml.",
);

/** The same for the project file. */
export function adviceOnSetting(word: string): Advice | null {
  return adviceAmong([templates], word);
}

function adviceAmong(rows: readonly WordAdvice[], word: string): Advice | null {
  return rows.find(({ words }) => lists(words, word))?.advice ?? null;
}

/** By field and value, other words for the value. */
const otherValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: {
    PUBLISHED: "live active onsale open public go on enabled publish",
    DRAFT: "inactive unpublished pending hidden private off disabled new todo",
    ARCHIVED: "ended closed completed complete past finished done over expired",
    DELETED: "removed remove gone trashed",
  },
  visibility: { PRIVATE: "hidden unlisted secret", PUBLIC: "open listed visible" },
  locationType: {
    VENUE: "physical inperson offline onsite place live",
    ONLINE: "virtual stream streaming livestream zoom remote web",
  },
  journeyType: { STANDARD: "normal default paid tickets ticketed", PRESELLING: "presale preorder" },
  type: {
    GENERAL_ADMISSION: "ga general regular standard normal standing earlybird freeseating",
    RESERVED_SEAT: "seated reserved seat numbered assigned",
  },
};

/** The allowed value that was most likely meant; null if none says it. */
export function valueMeantBy(written: string, field: string, choices: readonly string[]): string | null {
  const values = otherValues[field] ?? {};
  return choices.find((choice) => lists(values[choice], written)) ?? null;
}

/** By one of the choices of a field of ticketing.yaml, advice on words that none of them says. */
const ofSettings: typeof adviceByChoice = {
  "delete-event": [
    adviceFor(
      "olderthanapplied divergedfromapplied unjudgeddeletions",
      "It is about a single run; a file would accept it for every run to come.",
      "Pass it with --allow to the run it is for.",
    ),
  ],
};

/** The same on any other word. */
const generalOfSettings: typeof generalAdvice = {
  none: {
    message: "There is no such backend.",
    hint: "Write `backend: git` where runs forget their files, as in CI, `postgres`, `s3` or `http` (such as GitLab's) where a team has one of these, `file` on one machine, or `none`.",
  },
};

/** What to do instead of a value that the service does not know and no other says. */
export function adviceOnValue(written: string, choices: readonly string[]): Advice | null {
  for (const choice of choices) {
    const rows = adviceByChoice[choice] ?? ofSettings[choice] ?? [];
    const advice = adviceAmong(rows, written) ?? generalAdvice[choice] ?? generalOfSettings[choice];
    if (advice !== undefined) return advice;
  }
  return null;
}
