/** Writes a JSON object. Its members are already JSON. */
export const joined = (members: readonly string[]): string => `{${members.filter(Boolean).join(',')}}`;

/** The members of an answer as JSON, without its rows. The rows are joined with them later. */
export const membersOf = (answer: object): string => JSON.stringify(answer).slice(1, -1);
