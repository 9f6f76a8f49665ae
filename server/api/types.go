package api

import (
	"slices"
	"time"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/vfs"
)

// NewSandbox is the body of createSandbox. All of it may be left out.
type NewSandbox struct {
	// Name is shown to people. It has at most 200 bytes.
	Name string `json:"name,omitempty"`
	// Files are contents by path, such as "/index.html".
	Files map[string]FileContent `json:"files,omitempty"`
	// Packages are the packages of npm that the sources can import, as NAME or NAME@RANGE. At most
	// 100. The server fetches them and their dependencies before it answers.
	Packages []string `json:"packages,omitempty"`
	// Policy is YAML. Without it, everything is blocked.
	Policy string `json:"policy,omitempty"`
	// Entry is the path that a view opens. Default: "/".
	Entry string `json:"entry,omitempty"`
	// Fallback is the file that answers navigations to paths without a file. Default: none.
	Fallback string `json:"fallback,omitempty"`
	// Warm is the ID of a warm sandbox to fill, in place of a new sandbox. It already has its policy,
	// entry, flags, and permissions, so leave these out.
	Warm string `json:"warm,omitempty"`
	// Keep keeps the sandbox although nobody views it.
	Keep bool `json:"keep,omitempty"`
	// Flags are the sandboxing flags that are granted, such as "allow-modals".
	Flags []string `json:"flags,omitempty"`
	// Permissions are the permissions that are granted, such as "camera".
	Permissions []string `json:"permissions,omitempty"`
	// TTL is the time in seconds after which the server removes the sandbox. 0 is for ever.
	TTL int64 `json:"ttl,omitempty"`
	// Labels are for programs, which find sandboxes by them. At most 32. A key has 1 to 63
	// characters a-z, 0-9, and . _ / - between them. A value has at most 200 bytes.
	Labels map[string]string `json:"labels,omitempty"`
}

// NewWarm is the body of warmSandboxes.
type NewWarm struct {
	// Count is the number of sandboxes to make, from 1 to 100. Default: 1.
	Count int `json:"count,omitempty"`
	// Policy is YAML. Without it, everything is blocked.
	Policy string `json:"policy,omitempty"`
	// Entry is the path that a view opens. Default: "/".
	Entry string `json:"entry,omitempty"`
	// Flags are the sandboxing flags that are granted, such as "allow-modals".
	Flags []string `json:"flags,omitempty"`
	// Permissions are the permissions that are granted, such as "camera".
	Permissions []string `json:"permissions,omitempty"`
	// Labels are the labels of the sandboxes until you fill them. See createSandbox.
	Labels map[string]string `json:"labels,omitempty"`
	// TTL is the time in seconds after which the server removes the sandboxes that nobody has
	// filled. Default: none.
	TTL int64 `json:"ttl,omitempty"`
}

// SandboxPatch is the body of patchSandbox. What is left out stays as it is.
type SandboxPatch struct {
	// Name is shown to people. It has at most 200 bytes.
	Name *string `json:"name,omitempty"`
	// Entry is the path that views open from now on.
	Entry *string `json:"entry,omitempty"`
	// TTL is the time in seconds from now after which the server removes the sandbox. 0 is for
	// ever.
	TTL *int64 `json:"ttl,omitempty"`
	// Labels has new values by key, and null for a label to remove.
	Labels map[string]*string `json:"labels,omitempty"`
}

// A FileContent is given in one of two ways, and not in both.
type FileContent struct {
	// Text is the content in UTF-8.
	Text *string `json:"text,omitempty"`
	// Base64 is the content in base64 (RFC 4648, section 4).
	Base64 *[]byte `json:"base64,omitempty"`
}

// FilesPatch is the body of patchFiles. No path may stand in both.
type FilesPatch struct {
	// Set has the contents of new and changed files, by path.
	Set map[string]FileContent `json:"set,omitempty"`
	// Delete has the paths of the files to delete. Each must exist.
	Delete []string `json:"delete,omitempty"`
}

// Question is the body of explain: a request that page code might make. Without a
// type it has that which follows from its URL.
type Question struct {
	// Method is the HTTP method.
	Method string `json:"method"`
	// URL is the absolute URL.
	URL string `json:"url"`
	// Type is the type of the request, as policies name it.
	Type rules.Type `json:"type,omitempty"`
}

// AppSpec describes an MCP App that is handed in before any page shows it. The host's page
// frames the outerUrl of the answer. The host then talks with the app itself: it takes part in
// no message of the sandbox proxy. The page at outerUrl shows the app in a frame of its own,
// because the policy around that frame keeps the app from navigating away.
type AppSpec struct {
	// Host is the origin of the page that frames the app, such as http://localhost:8080.
	// It has to be one of the embedders. Required.
	Host string `json:"host"`
	// Domain makes the app's origin last, as domain does in the proxy's address. Default:
	// a new origin.
	Domain string `json:"domain,omitempty"`
	// App is what ui/notifications/sandbox-resource-ready would bring.
	App mcpapps.Resource `json:"app"`
}

// CreatedApp is the answer of createApp.
type CreatedApp struct {
	// ID is the sandbox's.
	ID string `json:"id"`
	// OuterURL is the address that the host's page frames.
	OuterURL string `json:"outerUrl"`
	// Allow is the allow attribute for that frame.
	Allow string `json:"allow"`
	// Told is a sentence for each thing that the app asked for and does not get.
	Told []string `json:"told"`
	// Sandbox is what the app gets: hostCapabilities.sandbox.
	Sandbox mcpapps.Sandbox `json:"sandbox"`
}

// SandboxList is the answer of listSandboxes.
type SandboxList struct {
	// Sandboxes are in the order in which they were created.
	Sandboxes []Info `json:"sandboxes"`
	// Next is the value of after for the next page. It is missing on the last page.
	Next string `json:"next,omitempty"`
}

// Info describes a sandbox.
type Info struct {
	// ID is the first label of the host name of the sandbox's origin.
	ID string `json:"id"`
	// Name is shown to people, or is "".
	Name string `json:"name"`
	// URL is the origin of the sandbox's code.
	URL string `json:"url"`
	// OuterURL is the address to embed.
	OuterURL string `json:"outerUrl"`
	// HostURL is the address of a page that shows the sandbox with its log.
	HostURL string `json:"hostUrl"`
	// Revision counts the changes of files and policy, from 1.
	Revision int64 `json:"revision"`
	// Entry is the path that a view opens.
	Entry string `json:"entry"`
	// Fallback is the file that answers navigations to paths without a file, or "".
	Fallback string `json:"fallback"`
	// Files is the number of files.
	Files int `json:"files"`
	// Bytes is the size of all files together.
	Bytes int64 `json:"bytes"`
	// Packages are the versions of the packages that the sources can import, by name.
	Packages map[string]string `json:"packages"`
	// Warm is true if the sandbox has no files yet. Its views wait for them.
	Warm bool `json:"warm"`
	// Keep is true if the sandbox stays although nobody views it.
	Keep bool `json:"keep"`
	// Viewers is the number of views of the sandbox that are open in browsers now.
	Viewers int `json:"viewers"`
	// Flags are the granted sandboxing flags, sorted.
	Flags []string `json:"flags"`
	// Permissions are the granted permissions, sorted.
	Permissions []string `json:"permissions"`
	// Labels are the sandbox's labels.
	Labels map[string]string `json:"labels"`
	// Created is the time at which the sandbox was created.
	Created time.Time `json:"created"`
	// Expires is the time at which the server removes the sandbox, if that time is set.
	Expires *time.Time `json:"expires,omitempty"`
}

// FileList is the answer of listFiles, sorted by path.
type FileList struct {
	// Revision is the one that has these files.
	Revision int64 `json:"revision"`
	// Files are sorted by path.
	Files []FileInfo `json:"files"`
}

// FileInfo describes a file.
type FileInfo struct {
	// Path begins with a slash.
	Path string `json:"path"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// Hash is the SHA-256 of the bytes, in hexadecimal digits.
	Hash vfs.Hash `json:"hash"`
	// Type is the Content-Type with which the file is served.
	Type string `json:"type"`
}

// Revised is the answer to a change.
type Revised struct {
	// Revision is the new one.
	Revision int64 `json:"revision"`
	// Files says which files differ from the previous revision. It is missing if none does, as
	// after a change of the policy alone.
	Files *protocol.FileChanges `json:"files,omitempty"`
	// Diagnostics are what the compiler has found in the sources of the revision. The revision
	// is there all the same: the module of a faulty file throws the error.
	Diagnostics []protocol.Diagnostic `json:"diagnostics,omitempty"`
}

// bytes returns the content. It fails unless exactly one of the two fields is set.
func (f FileContent) bytes(pointer, path string) ([]byte, error) {
	switch {
	case f.Text != nil && f.Base64 != nil:
		return nil, refuseField(pointer, "The file %.200q has both text and base64. Send only one of them.", path)
	case f.Text != nil:
		return []byte(*f.Text), nil
	case f.Base64 != nil:
		return *f.Base64, nil
	}
	return nil, refuseField(pointer, "The file %.200q has neither text nor base64. Send one of them.", path)
}

// InfoOf describes a sandbox at its newest revision.
func InfoOf(sb *sandbox.Sandbox) Info {
	v, _ := sb.Version()
	info := Info{
		ID: sb.ID(), Name: sb.Name(), URL: sb.URL(), OuterURL: sb.OuterURL(), HostURL: sb.HostURL(), Revision: v.Revision,
		Entry: sb.Entry(), Fallback: sb.Fallback(), Files: v.Files.Len(), Bytes: v.Files.TotalSize(), Warm: v.Warm, Keep: sb.Kept(), Viewers: sb.Viewers(), Created: sb.Created(),
		Flags: slices.Clone(v.Grants.Flags), Permissions: slices.Clone(v.Grants.Permissions), Labels: sb.Labels(),
	}
	if info.Labels == nil {
		info.Labels = map[string]string{}
	}
	if with, ok := v.Packages.(interface{ Dependencies() map[string]string }); ok {
		info.Packages = with.Dependencies()
	}
	if info.Packages == nil {
		info.Packages = map[string]string{}
	}
	if expires := sb.Expires(); !expires.IsZero() {
		info.Expires = &expires
	}
	return info
}
