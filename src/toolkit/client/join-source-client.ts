/** The client of a source joined from the rooms to its left: what sends, what only reads, and its end. */

import type { Outcome } from "../../core/answer/outcome.js";
import type { callSource as CallSource } from "../../core/call/call.js";
import type { CallableSource, Sender } from "../../core/call/running-call.js";
import type { ApprovalCheck } from "../../core/call/slots.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { checkStoreGiven } from "../read-options.js";
import { toPlainTool } from "../tool/plain-tool.js";
import { type ClientOptions, findToolName } from "./client-options.js";
import type { OpenServices } from "./share-services.js";
import type { CallOptions, UntypedClient } from "./source-client.js";

interface JoinOptions extends Pick<ClientOptions, "toolNames" | "responseStore"> {
  /** Whether the services are this client's alone, so that it ends them. @default false */
  readonly isOwner?: boolean;
}

/** Makes a client of a source whose services are there already, or will be. */
export function joinSourceClient(
  source: ApiSource,
  openServices: OpenServices,
  { toolNames, responseStore, isOwner = false }: JoinOptions = {},
): UntypedClient {
  const calls = createCalls(createOpener(source, openServices));
  const name = findToolName(source, toolNames);
  const tool = toPlainTool(source, name, async (input, context) => {
    const { content } = await calls.call(input, context, { isFromModel: true });
    return content;
  });
  return {
    source,
    tool,
    ...calls,
    ...createReaders(source, openServices, responseStore),
    async completeAuthorization(callbackUrl, context) {
      const { host, openTokens } = await openServices();
      host.lifetime.check();
      return (await openTokens()).completeAuthorization([source], callbackUrl, context);
    },
    async close() {
      if (isOwner) await (await openServices()).host.lifetime.end();
    },
  };
}

/** The parts that the first call of a source loads. */
interface OpenedSource {
  /** The source, with a sender that all its calls share, and with the approval check of the options. */
  readonly callable: CallableSource;
  readonly callSource: typeof CallSource;
}

/** Gives what calls of the source need; from the second call on without a wait. */
type OpenSource = () => OpenedSource | Promise<OpenedSource>;

function createOpener(source: ApiSource, openServices: OpenServices): OpenSource {
  const load = async (): Promise<OpenedSource> => {
    const { createSender } = await import("../../core/call/create-sender.js");
    const { callSource } = await import("../../core/call/call.js");
    const services = await openServices();
    let sender: Sender | undefined;
    const openSender = (): Sender => {
      if (sender !== undefined) return sender;
      const made = createSender(source, services);
      services.host.lifetime.onEnd(() => made.close());
      sender = made;
      return made;
    };
    const checkApproval = services.slots.beforeSend.approve;
    return { callable: { source, services, openSender, checkApproval }, callSource };
  };
  let opened: OpenedSource | undefined;
  let opening: Promise<OpenedSource> | undefined;
  return () => {
    if (opened !== undefined) return opened;
    opening ??= load().then((loaded) => {
      opened = loaded;
      return loaded;
    });
    return opening;
  };
}

/** The source as one call needs it: with the approval check of this call. */
function applyOptions(
  callable: CallableSource,
  { approve, checkApproval, isFromModel = false, isCombined = false }: CallOptions = {},
): CallableSource {
  const { openApproval } = callable.services.slots.beforeSend;
  const ownCheck = checkApproval ?? callable.checkApproval;
  const inputSlug = isCombined ? callable.source.slug : undefined;
  const check = approve === undefined ? ownCheck : joinApprovals([ownCheck, openApproval(approve)]);
  return { isFromModel, inputSlug, ...callable, checkApproval: check };
}

/** Joins rules about approval: a person is asked once, whichever rule wants it. */
export function joinApprovals(
  checks: readonly (ApprovalCheck | undefined)[],
): ApprovalCheck | undefined {
  const present = checks.filter((check) => check !== undefined);
  if (present.length < 2) return present[0];
  return async (call) => {
    for (const check of present) {
      const result = await check(call);
      if (result !== undefined) return result;
    }
    return undefined;
  };
}

/** The members that send requests, for a model and for code. */
function createCalls(open: OpenSource): Pick<UntypedClient, "call" | "fetchBytes" | "callWhole"> {
  return {
    call(request, context = {}, options = {}) {
      const start = ({ callable, callSource }: OpenedSource): Promise<Outcome> =>
        callSource(applyOptions(callable, options), request, context);
      const opened = open();
      return opened instanceof Promise ? opened.then(start) : start(opened);
    },
    async fetchBytes(request, context = {}) {
      const { callSourceBytes } = await import("./call-for-code.js");
      const { callable } = await open();
      return callSourceBytes(applyOptions(callable), request, context);
    },
    async callWhole(request, context = {}, options = {}) {
      const { callSourceWhole } = await import("./call-for-code.js");
      const { callable } = await open();
      return callSourceWhole(applyOptions(callable, options), request, context, options);
    },
  };
}

/** The members that send nothing: kept responses and files, the API's description, and what a request would be. */
function createReaders(
  source: ApiSource,
  openServices: OpenServices,
  responseStore: ClientOptions["responseStore"],
): Pick<UntypedClient, "read" | "readFile" | "describe" | "preview"> {
  return {
    async read(id, part = {}, context = {}) {
      const { readKept } = await import("../../core/store/read-kept.js");
      return readKept(await openServices(), { ...part, id }, context);
    },
    async readFile(id, context = {}) {
      const file = await (await openServices()).kept.loadFile(id, context);
      if (file === undefined) checkStoreGiven(responseStore, context);
      return file && Uint8Array.from(file.bytes);
    },
    async describe(input = {}) {
      const { describeApi } = await import("../../features/openapi/describe-api.js");
      return describeApi(source, await openServices(), input);
    },
    async preview(request) {
      const { previewRequest } = await import("../../features/connection/write-curl.js");
      const { secrets, slots } = await openServices();
      return previewRequest(source, request, secrets.redactor(), slots.document);
    },
  };
}
