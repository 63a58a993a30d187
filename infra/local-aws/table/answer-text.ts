/** Writes a JSON object from members that are already JSON. */
export const joined = (members: readonly string[]): string => `{${members.filter(Boolean).join(',')}}`;

/** The members of an answer without its rows, ready to be joined with them. */
export const membersOf = (answer: object): string => JSON.stringify(answer).slice(1, -1);
