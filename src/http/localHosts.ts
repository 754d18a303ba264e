import type { RequestHandler } from 'express';
import { isLocalHost } from '../domain/localHost.ts';
import { refuse } from '../domain/outcome.ts';
import { sendProblem } from './answers.ts';

/** A gateway that only this machine reaches answers to this machine's names alone: see `isLocalHost`. */
export const refuseForeignHosts: RequestHandler = (request, response, next) => {
  if (isLocalHost(request.headers.host)) return next();
  sendProblem(response, refuse('invalid_request', 'This gateway answers to 127.0.0.1 and localhost alone; for other names set PUBLIC_URL.'));
};
