/** The complete public surface. What is not named here is private: the rooms may change behind it. */

export type { ParsedAnswer as Answer } from "./core/answer/answer.js";
export type { CallArtifact, Outcome } from "./core/answer/outcome.js";
export {
  ApiSourceError,
  type CallError,
  type ErrorCategory,
  errorCategories,
  type RecordProblem,
  SourceRecordError,
} from "./core/base/errors.js";
export type { ExactNumber, JsonValue } from "./core/base/exact-number.js";
export type { CallContext, Logger } from "./core/base/runtime.js";
export type { ApplicationFile, ReadFile } from "./core/body/files/file.js";
export type {
  CallEvent,
  CallEventAttempt,
  CallEventRequest,
  CallEventResult,
  CallEventSummary,
  OnCall,
  UserOf,
} from "./core/call/call-event.js";
export type { CallPair, CallPairs, CallRequest, QueryValue } from "./core/call/call-request.js";
export type {
  ApprovalDecision,
  ApprovalQuestion,
  ApprovalRequest,
  Approve,
  Approver,
} from "./core/call/slots.js";
export type {
  CredentialProvider,
  CredentialsOption,
  SecretsOption,
} from "./core/credentials/create-credential-resolver.js";
export type {
  Credential,
  GrantFacts,
  RequestSignature,
  RequestSigner,
  RequestToSign,
  TokenProvider,
} from "./core/credentials/credential.js";
export { listVariables, loadEnvFile } from "./core/credentials/credential-variables.js";
export type {
  TransportAnswer,
  TransportFunction,
  TransportOption,
  TransportRecorder,
  TransportReplay,
  TransportRequest,
} from "./core/http/own-transport.js";
export {
  type ApiSource,
  type ApiSourceRecord,
  type AuthType,
  defineSource,
  type HttpMethod,
} from "./core/record/api-source.js";
export { apiSourceJsonSchema } from "./core/record/json-schema.js";
export { loadSources } from "./core/record/load-sources.js";
export { parseSource } from "./core/record/parse-source.js";
export type { ReadOutcome } from "./core/store/read-kept.js";
export type { ResponseStore } from "./core/store/response-store.js";
export { createMemoryStore } from "./core/store/response-store.js";
export { projectionSummarizer } from "./core/view/load-projection.js";
export type {
  CountTokens,
  Omission,
  Summarizer,
  SummarizerInput,
  Summary,
} from "./core/view/summary.js";
export type { LastingApproval } from "./features/approval/lasting-approvals.js";
export type { FlowRule } from "./features/confidential/loaded.js";
export type {
  ConnectionReport,
  ConnectionVerdict,
  RecordChange,
} from "./features/connection/connection-report.js";
export type { RequestPreview } from "./features/connection/write-curl.js";
export { fileTokenStore } from "./features/oauth/file-token-store.js";
export type { StartedAuthorization } from "./features/oauth/token-issuer.js";
export type { TokenEntry, TokenKey, TokenStore } from "./features/oauth/token-store.js";
export { ApiSourceToolkit } from "./toolkit/api-source-toolkit.js";
export type { BytesOutcome } from "./toolkit/client/call-for-code.js";
export type { ClientOptions } from "./toolkit/client/client-options.js";
export { createSourceClient, testConnection } from "./toolkit/client/create-source-client.js";
export type { BytesRequest, ReadPart, SourceClient } from "./toolkit/client/source-client.js";
export {
  type ApiSourceTool,
  createApiSourceTool,
  createReadApiResponseTool,
  type ReadApiResponseTool,
} from "./toolkit/create-tools.js";
export { SourceDirectory, type SourceEntry } from "./toolkit/directory/source-directory.js";
export {
  followJournal,
  type JournalLine,
  journalTo,
  parseJournalLine,
} from "./toolkit/journal/journal.js";
export type { ExecuteOptions, PlainTool } from "./toolkit/tool/plain-tool.js";
