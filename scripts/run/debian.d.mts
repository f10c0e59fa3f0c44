/** Gives a program of Debian's, installed first where it is missing and this user may do so; undefined where that fails. */
export function findOfDebian(program: string, packageName: string): string | undefined
