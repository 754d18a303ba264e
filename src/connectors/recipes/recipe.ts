import { type ConnectorId, recipeGaps } from '../../contract/platforms.ts';

/** What a platform can be made to do with the gateway. */
export const platformAbilities = ['lookup', 'pop', 'events', 'states', 'set_states', 'dial'] as const;
export type PlatformAbility = (typeof platformAbilities)[number];

/**
 * How far it was proven. `proven_form`: what the platform sends to the gateway was sent in its exact form;
 * `proven_schema`: events were read that were made from its published schema, with its signature where it has one;
 * `proven_stub`: requests to the platform were made to a stand-in of its interface; `live`: it was seen at the vendor's
 * cloud, which is true of none.
 */
export const proofs = ['proven_form', 'proven_schema', 'proven_stub', 'live'] as const;
export type Proof = (typeof proofs)[number];

/** `proof` null: it cannot be done, or is not built; `note` says which, or what is not shown. */
export type Ability = { proof: Proof | null; note: string };

/** Where a company's gateway is. */
export type Place = {
  /** Without a slash at the end. */
  gateway: string;
  /** The address for this platform's events, with a gap in the place of its token. */
  events: string;
  /** The company's pop page, to which a phone number is to be added. */
  pop: string;
};

export type Step = {
  title: string;
  text: string;
  /** What is to be typed or pasted there; null: nothing. */
  value: string | null;
};

/** A file to be taken into the platform. */
export type RecipeFile = {
  name: string;
  contentType: 'application/json' | 'application/xml' | 'text/plain' | 'text/javascript';
  text: string;
};

/** The gap for the secret that is issued with the address. */
export const secretGap = recipeGaps.secret;

/** What a company has to set up at a platform. */
export type Recipe = {
  id: ConnectorId | 'none';
  name: string;
  summary: string;
  abilities: Readonly<Record<PlatformAbility, Ability>>;
  steps(place: Place): Step[];
  files(place: Place): RecipeFile[];
};

/** The steps that every connection begins with. */
export function addressSteps(place: Place, isSigned = false): Step[] {
  const { secret, token } = recipeGaps;
  const text = isSigned
    ? 'store the address and the secret. They are shown once, with files that have both filled in; ' +
      `other files have ${token} and ${secret} in their place.`
    : `store the address. It is shown once, with files that have it filled in; other files have ${token} in its place.`;
  return [
    {
      title: 'Make the event address',
      text: `In the console under Telephony platforms choose the platform and ${text}`,
      value: place.events,
    },
  ];
}

/**
 * How the platform's desktop comes to show the pop page in a frame.
 * @param origin of the desktop, as far as it is published
 */
export function frameStep(origin: string): Step {
  return {
    title: 'Allow the desktop to frame the pop page',
    text:
      'Add the origin of the desktop, as your browsers show it, ' +
      'under Pop page in the console or by PUT /api/integrations. Agents sign in on the page once.',
    value: JSON.stringify({ pop_frame_ancestors: [origin] }),
  };
}

/** The steps that tell who the platform's agents are; last. */
export const agentSteps: Step[] = [
  {
    title: 'Match the agents',
    text:
      'Agents are matched by e-mail address or agent code. ' +
      'After the first events the console lists those without a match: choose who they are.',
    value: null,
  },
];

/**
 * The lookup of a caller, made for flows that break on 404 and on null.
 * @param number as the platform writes its variable
 */
export function lookupUrl({ gateway }: Place, number: string): string {
  return `${gateway}/api/integrations/cti/screen-pop?format=flat&phone=${number}`;
}

export function jsonFile(name: string, content: object): RecipeFile {
  return { name, contentType: 'application/json', text: `${JSON.stringify(content, null, 2)}\n` };
}

export const notBuilt = (note: string): Ability => ({ proof: null, note });
