package api

import (
	"net/http"

	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sandbox"
)

func (a *API) getPolicy(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	policy, revision := sb.Policy()
	return answerCurrent(w, r, revision, func() error { return answer(w, http.StatusOK, MediaText, []byte(policy.Text())) })
}

func (a *API) putPolicy(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	body, free, err := a.Upload(w, r, MaxPolicy)
	if err != nil {
		return err
	}
	defer free()
	policy, err := a.Parse(r.Context(), body)
	if err != nil {
		return err
	}
	return edit(w, r, sb, sandbox.Edit{Policy: policy})
}

func (a *API) postExplain(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error {
	var question Question
	_, free, err := a.uploadJSON(w, r, &question)
	if err != nil {
		return err
	}
	defer free()
	if question.URL == "" {
		return refuseField("/url", "The url is missing. Send an absolute URL.")
	}
	request, err := rules.ParseRequest(question.Method, question.URL, string(question.Type))
	if err != nil {
		return refuseField("", "The request to explain is invalid: %v.", err)
	}
	explanation, revision := sb.Explain(request)
	return answerCurrent(w, r, revision, func() error { return answerJSON(w, http.StatusOK, explanation) })
}
