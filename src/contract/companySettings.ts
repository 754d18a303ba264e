import { z } from 'zod';
import {
  companyLine,
  companyLines,
  outgoingNumber,
  outgoingNumbers,
  sharedSpeedDials,
  skipReason,
  speedDial,
} from './dialing.ts';
import { says } from './fieldErrors.ts';
import { codeWithLabel, dispositionEntry, dispositionOption, optional, toDispositionOption } from './values.ts';
import {
  callbackAssignees,
  contactScopes,
  defaultDispositions,
  defaultSkipReasons,
  languages,
  listeningRules,
} from './vocabulary.ts';

/**
 * The settings of a company, each in one place: what an admin may give, what is kept and shown, and what holds
 * where nothing was chosen. Their names are the same in requests, answers, the database and the code.
 * CONTRIBUTING.md tells how one is added.
 */

type Setting<Given extends z.ZodType, Shown extends z.ZodType> = { given: Given; shown: Shown; usual: z.output<Shown> };

/** One that is shown as it was given. */
function setting<T extends z.ZodType>(schema: T, usual: z.output<T>): Setting<T, T> {
  return { given: schema, shown: schema, usual };
}

/** A list whose entries have a code each; one that is given replaces the former one. */
function codeList<T extends z.ZodType<{ code: string }>>(entry: T) {
  return z
    .array(entry)
    .max(100)
    .refine(
      (list) => new Set(list.map(({ code }) => code)).size === list.length,
      says('not_unique', 'codes must be unique'),
    );
}

const limit = z.int().min(1).max(86_400).nullable();
const wallboardLimits = {
  wrap_up_seconds: limit.meta({ description: 'An agent in wrap-up for longer. Null: never' }),
  on_call_seconds: limit.meta({ description: 'On a call for longer' }),
  not_ready_seconds: limit.meta({ description: 'Not Ready for longer' }),
  nobody_ready_seconds: limit.meta({ description: 'No agent Ready for longer' }),
};

const described = {
  wrap_up_seconds: setting(z.int().min(0).max(3600), 30),
  wrap_up_max_seconds: setting(
    z
      .int()
      .min(0)
      .max(3600)
      .meta({
        description:
          'How long a wrap-up may last in all while the agent goes on typing. ' +
          'Less than `wrap_up_seconds`: typing adds nothing',
      }),
    600,
  ),
  call_waiting: setting(
    z.boolean().meta({
      description:
        'Whether an agent who is on a call of the softphone is shown another one that comes in, and may answer it ' +
        'with the first on hold. If not, who calls hears that the agent is busy, and it counts as missed',
    }),
    true,
  ),
  contact_scope: setting(
    z.enum(contactScopes).meta({
      description:
        'Which contacts of the built-in CRM an agent sees: all of the company, or its own and those of nobody',
    }),
    'company',
  ),
  callback_assignee: setting(
    z.enum(callbackAssignees).meta({
      description:
        'Whose a callback is that is set in wrap-up: of the agent who had the call, or of anyone who takes it',
    }),
    'agent',
  ),
  listening: setting(
    z.enum(listeningRules).meta({
      description:
        'Whether supervisors may listen to calls and speak in them, and whether the agent sees that they do. ' +
        'What the law says to it is for the company to know',
    }),
    'visible',
  ),
  language: setting(
    z.enum(languages).nullable().meta({
      description: 'What the pages speak to whoever’s browser asks for none of these languages. `null`: English',
    }),
    null,
  ),
  dispositions: {
    given: codeList(dispositionEntry.transform(toDispositionOption)).min(1),
    shown: z.array(dispositionOption),
    usual: defaultDispositions.map(toDispositionOption),
  },
  tags: setting(
    codeList(codeWithLabel).meta({ description: 'What agents may mark a call with, such as `complaint`' }),
    [],
  ),
  free_tags: setting(z.boolean().meta({ description: 'Whether they may do so in words of their own, too' }), false),
  // The company's own alone, besides the standard ones; a session is told all.
  not_ready_reasons: setting(codeList(codeWithLabel), []),
  speed_dials: {
    given: sharedSpeedDials.meta({
      description: 'What every agent can dial by one press, in the order in which it is shown',
    }),
    shown: z.array(speedDial).meta({ description: 'What every agent can dial by one press' }),
    usual: [],
  },
  lines: {
    given: companyLines.meta({
      description:
        'What the numbers are called that customers call: shown for the `dialed_number` of a call. `phone_number` in ' +
        'any spelling, best with its country code; or what the PBX tells in its place, such as an extension',
    }),
    shown: z.array(companyLine).meta({ description: 'What the numbers are called that customers call' }),
    usual: [],
  },
  outgoing_numbers: {
    given: outgoingNumbers.meta({
      description:
        'The numbers that customers see: of an agent the first that is theirs, else of a team of theirs, else the ' +
        'first that is nobody’s. A click, or the agent, may choose any of them (`caller_id`). None: as the PBX has it',
    }),
    shown: z.array(outgoingNumber).meta({ description: 'The numbers that customers see' }),
    usual: [],
  },
  preview_dial: setting(
    z.boolean().meta({
      description:
        'Whether agents look at the customer before they call back, and then dial or skip with a reason. ' +
        'Clicks of the CRM dial at once all the same',
    }),
    false,
  ),
  skip_reasons: setting(codeList(skipReason).min(1).meta({ description: 'Why they skip a call' }), [
    ...defaultSkipReasons,
  ]),
  // Five minutes of wrap-up are a form that nobody looks at, and a minute without anybody Ready loses clicks.
  wallboard_limits: {
    given: z.strictObject(wallboardLimits).partial().meta({
      description: 'From when on the wallboard marks what takes long; one that is left out stays',
    }),
    shown: z.object(wallboardLimits).meta({ description: 'From when on the wallboard marks what takes long' }),
    usual: { wrap_up_seconds: 300, on_call_seconds: null, not_ready_seconds: null, nobody_ready_seconds: 60 },
  },
};

type Described = typeof described;
type Key = keyof Described;

/** What a company's settings are, with every one set. */
export type CompanySettings = { [K in Key]: z.output<Described[K]['shown']> };
/** Those that somebody chose. */
export type ChosenSettings = Partial<CompanySettings>;
/** What of them changes, as the request has been read. */
export type SettingsChange = { [K in Key]?: z.output<Described[K]['given']> | undefined };

const keys = Object.keys(described) as Key[];
const each = <T>(read: (key: Key) => T) => Object.fromEntries(keys.map((key) => [key, read(key)]));

/** The fields of a company's view. */
export const shownSettings = each((key) => described[key].shown) as { [K in Key]: Described[K]['shown'] };

/** The fields of a change: each may be left out, or be null where null is no value of its own. */
export const givenSettings = each((key) => {
  const given: z.ZodType = described[key].given;
  const schema = given.safeParse(null).success ? given.optional() : optional(given);
  return given.description === undefined ? schema : schema.meta({ description: given.description });
}) as { [K in Key]: z.ZodOptional<Described[K]['given']> };

export const usualSettings = each<unknown>((key) => described[key].usual) as CompanySettings;

/** The settings as they hold, of those that somebody chose. What this version does not know is left out. */
export function settingsFrom(chosen: ChosenSettings): CompanySettings {
  return each((key) => changed(usualSettings[key], chosen[key])) as CompanySettings;
}

/**
 * What is chosen after a change: a value replaces the former one;
 * of an object, such as `wallboard_limits`, each field does so for itself.
 */
export function chooseSettings(chosen: ChosenSettings, change: SettingsChange): ChosenSettings {
  const before = settingsFrom(chosen);
  const given = keys.filter((key) => change[key] !== undefined);
  return { ...chosen, ...Object.fromEntries(given.map((key) => [key, changed(before[key], change[key])])) };
}

function changed(before: unknown, change: unknown): unknown {
  if (change === undefined) return before;
  if (!isObject(before) || !isObject(change)) return change;
  return { ...before, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
