import { builtInCrmPlays } from './builtInCrmPlays.ts';
import { callPlays } from './callPlays.ts';
import { companyPlays } from './companyPlays.ts';
import { integrationPlays } from './integrationPlays.ts';
import { platformPlays } from './platformPlays.ts';
import { reportPlays } from './reportPlays.ts';
import type { OwnPlays } from './play.ts';

/** How to get what only one route has, by route and code; numbers are successes. */
export const ownPlays: OwnPlays = {
  ...builtInCrmPlays,
  ...callPlays,
  ...companyPlays,
  ...integrationPlays,
  ...platformPlays,
  ...reportPlays,
};
