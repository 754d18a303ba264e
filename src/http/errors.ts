import type { ErrorRequestHandler, RequestHandler } from 'express';
import { refuse } from '../domain/outcome.ts';
import { InvalidTextError } from '../ports/invalidText.ts';
import { sendProblem } from './answers.ts';
import { isDependencyFailure } from '../ports/dependencyFailure.ts';

/** Answers 404 to what no route matches. */
export const answerUnknownRoute: RequestHandler = (_request, response) => {
  sendProblem(response, refuse('not_found', 'There is nothing at this address.'));
};

/** Answers thrown errors: the log gets the error, the caller a problem without details. */
export const answerThrown: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  if (request.destroyed && !request.complete) {
    // The caller hung up in the middle of the body: there is nobody to answer.
    sendProblem(response, refuse('invalid_request', 'The request broke off.'));
    return;
  }
  if (error instanceof URIError) {
    sendProblem(response, refuse('invalid_request', 'The path does not fit: it cannot be decoded.'));
    return;
  }
  if (error instanceof InvalidTextError) {
    sendProblem(response, refuse('invalid_request', `The body does not fit: ${error.message}.`));
    return;
  }
  response.locals.record.error = error;
  sendProblem(
    response,
    isDependencyFailure(error)
      ? refuse('dependency_unavailable', 'A part of the service cannot be reached at the moment. Try again shortly.')
      : refuse('internal_error', 'Something went wrong here. The request_id lets the operator find out what.'),
  );
};
