/** The complete public surface. What is not named here is private: the rooms may change behind it. */

export type { CallArtifact, Outcome } from "./answer/outcome.js";
export type { LastingApproval } from "./approval/approval.js";
export type {
  CallEvent,
  CallEventRequest,
  CallEventResult,
  CallEventSummary,
  OnCall,
} from "./call/call-event.js";
export type { CallRequest } from "./call/call-request.js";
export type { ApprovalDecision, ApprovalRequest, Approve, Approver } from "./call/slots.js";
export type { BytesOutcome } from "./client/call-for-code.js";
export type { ClientOptions } from "./client/client-options.js";
export {
  type BytesRequest,
  createSourceClient,
  type ReadPart,
  type SourceClient,
} from "./client/create-source-client.js";
export { testConnection } from "./client/test-connection.js";
export type { FlowRule } from "./confidential/loaded.js";
export type { ConnectionReport, ConnectionVerdict } from "./connection/connection-report.js";
export type { RequestPreview } from "./connection/preview-request.js";
export type {
  CredentialProvider,
  CredentialsOption,
  SecretsOption,
} from "./credentials/create-credential-resolver.js";
export type { Credential, TokenProvider } from "./credentials/credential.js";
export { listVariables } from "./credentials/credential-variables.js";
export { loadEnvFile } from "./credentials/environment.js";
export type { GrantFacts } from "./credentials/grant-facts.js";
export type { RequestSignature, RequestSigner, RequestToSign } from "./credentials/signer.js";
export {
  ApiSourceError,
  type CallError,
  type ErrorCategory,
  errorCategories,
  type RecordProblem,
  SourceRecordError,
} from "./errors.js";
export type { ApplicationFile, ReadFile } from "./files/application-file.js";
export { followJournal } from "./journal/follow-journal.js";
export { type JournalLine, type JournalOptions, journalTo, parseJournalLine } from "./journal/journal-to.js";
export type { ExactNumber, JsonValue } from "./json/exact-number.js";
export { fileTokenStore } from "./oauth/file-token-store.js";
export type { StartedAuthorization } from "./oauth/token-issuer.js";
export type { TokenEntry, TokenKey, TokenStore } from "./oauth/token-store.js";
export { SourceDirectory, type SourceEntry } from "./registry/source-directory.js";
export type { CallContext, Logger } from "./runtime.js";
export {
  type ApiSource,
  type ApiSourceRecord,
  type AuthType,
  defineSource,
  type HttpMethod,
} from "./source/api-source.js";
export { apiSourceJsonSchema } from "./source/json-schema.js";
export { loadSources } from "./source/load-sources.js";
export { parseSource } from "./source/parse-source.js";
export { createMemoryStore } from "./store/create-memory-store.js";
export type { ResponseStore } from "./store/response-store.js";
export type { ExecuteOptions, PlainTool } from "./tool/plain-tool.js";
export { ApiSourceToolkit } from "./toolkit/api-source-toolkit.js";
export { type ApiSourceTool, createApiSourceTool } from "./toolkit/create-api-source-tool.js";
export {
  createReadApiResponseTool,
  type ReadApiResponseTool,
} from "./toolkit/create-read-api-response-tool.js";
export { modelSummarizer } from "./toolkit/model-summarizer.js";
export type { TransportOption, TransportRecorder, TransportReplay } from "./transport/observed-attempt.js";
export type { TransportAnswer, TransportFunction, TransportRequest } from "./transport/own-transport.js";
export { projectionSummarizer } from "./view/load-projection.js";
export type { CountTokens, Omission, Summarizer, SummarizerInput, Summary } from "./view/summary.js";
