export function fromRoot(...parts: string[]): string
/** Hash of these files and of all files in these folders. */
export function hashOf(...paths: string[]): string
