/** What a browser shows at an address, after redirects to anywhere. */
export declare function browse(url: string): Promise<number>;
