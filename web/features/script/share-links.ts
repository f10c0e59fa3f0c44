/** A Markdown link. Characters of the title that Markdown would read are escaped. */
export const markdownLink = (title: string, url: string): string =>
  `[${title.replaceAll(/[\\`*_[\]<>~|]/g, String.raw`\$&`)}](${url})`

/** A BBCode link. BBCode has no escapes, so brackets in the title become parentheses. */
export const bbcodeLink = (title: string, url: string): string =>
  `[url=${url}]${title.replaceAll('[', '(').replaceAll(']', ')')}[/url]`
