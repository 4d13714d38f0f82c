/** A picture of docs/pictures in a page of docs/: dark if the reader's page is dark. */
export function pictureMarkup(name: string, alt: string): string {
  const dark = `<source media="(prefers-color-scheme: dark)" srcset="pictures/${name}-dark.svg">`;
  return `<picture>${dark}<img alt="${alt}" src="pictures/${name}-light.svg"></picture>`;
}
