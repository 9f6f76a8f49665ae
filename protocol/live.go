package protocol

// Path tells the outer frame that the view's own document has another path, query, or fragment
// now, without a load.
type Path struct {
	Kind Kind[kindPath] `json:"kind"`
	Path string         `json:"path"`
}

// Update asks the view's own document to show a newer revision. The document answers with
// [Updating]. Then it either reloads, or replaces style sheets and modules in place and sends
// [Updated].
type Update struct {
	Kind     Kind[kindUpdate] `json:"kind"`
	Revision int64            `json:"revision"`
	// Changed are the paths of all files that differ from the revision that the document
	// shows, and that Modules does not cover. Both are empty if the document has to reload: the
	// list is incomplete, files were added or removed, or the embedder asked for a reload.
	Changed []string `json:"changed"`
	// Modules are the updates of modules. See [ModuleChanges].
	Modules []ModuleUpdate `json:"modules"`
}

// Manner is how a view shows a revision.
type Manner string

const (
	// MannerDocument means that a document has begun.
	MannerDocument Manner = "document"
	// MannerStyles means that the document stays, and has the revision's style sheets.
	MannerStyles Manner = "styles"
	// MannerModules means that the document stays, and has the revision's modules and style
	// sheets. Modules have accepted the change by import.meta.hot.
	MannerModules Manner = "modules"
	// MannerPath means that the document stays, and its address has changed.
	MannerPath Manner = "path"
)

// Updating is the answer to [Update]: the document has begun to show the revision.
type Updating struct {
	Kind   Kind[kindUpdating] `json:"kind"`
	Manner Manner             `json:"manner"`
	// Fields are what the user has entered, if the document loads itself again. The outer
	// frame hands them to the next document.
	Fields []Field `json:"fields"`
}

// Updated says that the style sheets and modules of an [Update] are in place.
type Updated struct {
	Kind Kind[kindUpdated] `json:"kind"`
}

// Restore hands a document what the user had entered in the previous one.
type Restore struct {
	Kind   Kind[kindRestore] `json:"kind"`
	Fields []Field           `json:"fields"`
}

// FieldLimit is the largest number of fields in one message, and FieldsLength the largest number
// of characters in them together. Further ones are left out.
const (
	FieldLimit   = 200
	FieldsLength = 50_000
)

// Field is what the user has entered in one field of a form. Key identifies the field by its
// tag, type, id, and name. Values are the text of a text field, the value of a checked box, or
// the values of the selected options.
type Field struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}
