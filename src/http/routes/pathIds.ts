import { z } from 'zod';
import { uuid } from '../../contract/values.ts';

/** `{id}` in a path. */
export const idInPath = z.object({ id: uuid });
