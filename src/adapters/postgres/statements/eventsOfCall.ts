// Of a call's other events, those that wait. LIKE has no wildcard here: with = or IN, PostgreSQL might go through all that
// the company has waiting, by the index of it, and take that for little; a call's own events are few in truth.

/** SQL: the delivery of that alias is pending. */
export const isPending = (alias: string) => `${alias}.state LIKE 'pending'`;

/** SQL: the delivery of that alias is pending or in flight. */
export const isWaiting = (alias: string) => `${alias}.state LIKE ANY ('{pending,in_flight}')`;
