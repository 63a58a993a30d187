/** An error with the name that DynamoDB uses, such as `ResourceInUseException`. */
export class DynamoError extends Error {
  /** Additional members of the response. */
  readonly details: object;

  constructor(name: string, message: string, details: object = {}) {
    super(message);
    this.name = name;
    this.details = details;
  }
}

/** The error for a request that is invalid for every row. */
export const invalid = (message: string): DynamoError => new DynamoError('ValidationException', message);

/** The error for a member of a request that has the wrong JSON type. */
export const malformed = (message: string): DynamoError => new DynamoError('SerializationException', message);
