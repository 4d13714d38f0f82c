/** The abilities of harness as a client: few, so that servers do little. */
export const clientCapabilities = {
  general: { positionEncodings: ["utf-16"] },
  workspace: {
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    symbol: { dynamicRegistration: false },
    diagnostics: { refreshSupport: true },
    workspaceEdit: { documentChanges: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: false, didSave: true },
    publishDiagnostics: { versionSupport: true, relatedInformation: false },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
    definition: { linkSupport: true },
    references: {},
    rename: { prepareSupport: false },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  },
  window: { workDoneProgress: true, showDocument: { support: false } },
} as const;
