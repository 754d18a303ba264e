/** Every error code of the REST and Socket.IO contracts, with its HTTP status and title. Codes are stable. */
export const errorCodes = {
  invalid_request: { status: 400, title: 'The request does not fit the contract' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_phone: { status: 400, title: 'Not a phone number' },
  unauthenticated: { status: 401, title: 'Credentials are missing' },
  invalid_api_key: { status: 401, title: 'The API key is not valid' },
  invalid_token: { status: 401, title: 'The token is not valid' },
  token_expired: { status: 401, title: 'The token has expired' },
  invalid_credentials: { status: 401, title: 'Log-in failed' },
  role_required: { status: 403, title: 'The caller lacks the needed role' },
  wrong_company: { status: 403, title: 'That belongs to another company' },
  unknown_phone: { status: 404, title: 'Nothing is known of that phone number' },
  unknown_agent: { status: 404, title: 'No such agent' },
  not_found: { status: 404, title: 'Not found' },
  conflict: { status: 409, title: 'The current state does not allow that' },
  idempotency_in_progress: { status: 409, title: 'The first request with this Idempotency-Key is still under way' },
  idempotency_mismatch: { status: 422, title: 'This Idempotency-Key was used with another request' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  rate_limited: { status: 429, title: 'Too many requests' },
  session_replaced: { status: 409, title: 'Another softphone has taken over' },
  internal_error: { status: 500, title: 'Something went wrong here' },
  no_ready_agent: { status: 503, title: 'No agent is Ready' },
  agent_not_ready: { status: 503, title: 'That agent is not Ready' },
  dependency_unavailable: { status: 503, title: 'A part of the service is unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCodes;
