/** Types for the part of linebreak that we use. The package has none. */
declare module 'linebreak' {
  class LineBreaker {
    constructor(text: string);
    /** Where the next line may begin. */
    nextBreak(): { position: number; required: boolean } | null;
  }

  export = LineBreaker;
}
